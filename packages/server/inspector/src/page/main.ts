import { isJson } from '../fold/entry.ts';
import { element } from './element.ts';
import { OneRun } from './one-run.ts';
import { ShownRun, type RunName } from './shown-run.ts';
import { TwoRuns } from './two-runs.ts';

/** Behind the `#`, which a browser does not send: it is in no log and in no `Referer`. */
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/** How often what counts the time is drawn again. */
const tickMs = 1000;

async function fetchRuns(): Promise<readonly RunName[]> {
  const response = await fetch('/runs', { headers: { authorization: `Bearer ${token}` }, cache: 'no-store' });
  const answer: unknown = response.ok ? await response.json() : undefined;
  if (!Array.isArray(answer)) throw new Error('refused');
  const runs: readonly unknown[] = answer;
  return runs.filter(isJson).map(({ name, isLive }) => ({ name: String(name), isLive: isLive === true }));
}

function showFailure(root: HTMLElement): void {
  root.replaceChildren(
    element(
      'main',
      { class: 'failure' },
      element('h1', {}, 'The inspector does not answer'),
      element(
        'p',
        { role: 'alert' },
        'This address is of an earlier start of the program, or not complete. Open the address that the program printed last, with all that follows the #.',
      ),
    ),
  );
}

function show(root: HTMLElement, names: readonly RunName[]): void {
  const runs = names.map((name) => new ShownRun(name));
  const [first, second] = runs;
  if (first === undefined) return;
  const view = second === undefined ? new OneRun(first) : new TwoRuns(first, second);
  document.title = `${runs.map(({ name }) => name).join(' and ')} · Hexagent inspector`;
  root.replaceChildren(view.box);
  let isPlanned = false;
  // However much arrives, it is drawn once for each frame of the screen.
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      view.update();
    });
  };
  for (const [at, run] of runs.entries()) run.read({ url: `/runs/${at}`, token }, plan);
  if (first.isLive) setInterval(plan, tickMs);
}

const root = document.querySelector<HTMLElement>('#root') ?? document.body;
addEventListener('hashchange', () => location.reload());
fetchRuns().then(
  (runs) => show(root, runs),
  () => showFailure(root),
);
