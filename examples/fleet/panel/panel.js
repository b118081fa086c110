// The workers beside the chat: what each does, and a button that kills it.

const pollMs = 1000;
const conditions = { running: 'Running', draining: 'Draining', silent: 'Not heard of', gone: 'Killed' };

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const title = make('summary');
const list = make('ul');
const start = make('button', { type: 'button', textContent: 'Start a worker' });
const news = make('p', { className: 'fleet-news' });
news.setAttribute('role', 'status');
const details = make(
  'details',
  { open: window.matchMedia('(width >= 1000px)').matches },
  title,
  make('p', { textContent: 'Kill a worker while it answers. Another one continues in about eight seconds.' }),
  list,
  start,
  news,
);
const panel = make('aside', { className: 'fleet' }, details);
panel.setAttribute('aria-label', 'Workers');
document.body.append(panel);

/** A failure is told as news; the next poll shows what is there. */
async function post(path, done) {
  try {
    const response = await fetch(`/api/workers${path}`, { method: 'POST' });
    news.textContent = response.ok ? done : (await response.json()).error.message;
  } catch {
    news.textContent = 'The fleet does not answer.';
  }
}

const rows = new Map();

function rowOf(name) {
  const [condition, facts] = [make('span', { className: 'fleet-condition' }), make('p')];
  const button = (text, action, done) => {
    const element = make('button', { type: 'button', textContent: text });
    element.setAttribute('aria-label', `${text} ${name}`);
    element.addEventListener('click', () => void post(`/${name}/${action}`, done));
    return element;
  };
  const buttons = [
    button('Drain', 'drain', `${name} gives its chats to the others.`),
    button('Kill', 'kill', `${name} was killed.`),
  ];
  const item = make(
    'li',
    {},
    make('p', { className: 'fleet-name' }, name, condition),
    facts,
    make('div', { className: 'fleet-buttons' }, ...buttons),
  );
  return { item, condition, facts, buttons };
}

function show({ name, condition, chats, heardMs }) {
  const row = rows.get(name) ?? rowOf(name);
  if (!rows.has(name)) list.append(row.item);
  rows.set(name, row);
  row.condition.textContent = conditions[condition];
  row.condition.dataset.condition = condition;
  row.facts.textContent = `${chats} ${chats === 1 ? 'chat' : 'chats'} · heartbeat ${(heardMs / 1000).toFixed(1)} s ago`;
  const isEnding = condition === 'gone' || condition === 'draining';
  if (isEnding && row.buttons.includes(document.activeElement)) start.focus();
  for (const button of row.buttons) button.disabled = isEnding;
}

function showAll(workers) {
  const running = workers.filter(({ condition }) => condition === 'running').length;
  title.textContent = `Workers: ${running} running`;
  for (const worker of workers) show(worker);
  const names = new Set(workers.map(({ name }) => name));
  for (const [name, { item }] of rows) {
    if (names.has(name)) continue;
    if (item.contains(document.activeElement)) start.focus();
    item.remove();
    rows.delete(name);
  }
}

async function poll() {
  try {
    const response = await fetch('/api/workers');
    if (response.ok) showAll((await response.json()).workers);
  } catch {
    title.textContent = 'Workers: no answer';
  }
  setTimeout(() => void poll(), pollMs);
}

start.addEventListener('click', async () => {
  start.disabled = true;
  news.textContent = 'A worker starts.';
  await post('', 'A worker was started.');
  start.disabled = false;
});
void poll();
