import { commandReader } from '@hexagent/commands';
import { rulesToRemember as rulesBy, type RememberedRequest } from '@hexagent/permissions';

/**
 * The rules that `allow({ remember })` would store, as text: for the label of a button. Empty where the agent suggests
 * none, and where it would ask about this very call again with them.
 * @throws {TypeError} for anything but a request.
 */
export function rulesToRemember(request: RememberedRequest): readonly string[] {
  return rulesBy(request, { commands: commandReader });
}
