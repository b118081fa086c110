import { describe, expect, it } from 'vitest';
import { cameWith, explainExit, explainRefusal } from '@hexagent/ports';

describe('What an older CLI lacks', () => {
  it('is named with the version it came with: a flag', () => {
    expect(explainExit("error: unknown option '--await-claim'\n")).toBe(
      'It does not support `--await-claim`. It came with the CLI 2.1.281: update the CLI.',
    );
    expect(explainExit("error: unknown option '--managed-settings-in-initialize'")).toContain(
      'managedSettingsDelivery',
    );
    expect(explainExit("error: unknown option '--frob'")).toContain('check `extraArgs`');
  });

  it('is named with the version it came with: a request', () => {
    expect(explainRefusal('Unsupported control request subtype: get_task_output')).toBe(cameWith('get_task_output'));
    expect(explainRefusal('Unsupported control request subtype: frob')).toBeUndefined();
    expect(explainRefusal('There is no task get_task_output.')).toBeUndefined();
  });

  it('is not guessed', () => {
    expect(cameWith('toString')).toBeUndefined();
    expect(cameWith('update_settings')).toContain('2.1.257');
  });
});
