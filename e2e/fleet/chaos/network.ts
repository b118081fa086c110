// A network of namespaces, one for each process of a fleet, in which the way from one to another can be cut. Needs root and `ip`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** Where a process of the fleet runs. */
export interface Seat {
  readonly address: string;
  readonly range: string;
  /** What the command of the process begins with. */
  readonly command: readonly string[];
}

export interface Network extends Disposable {
  /** Of the database, and of pages. */
  readonly address: string;
  readonly range: string;
  /** The same one for the same number, from 0. */
  seat(number: number): Seat;
  /** From now on nothing that is sent from a seat arrives at an address, and what is open there is silent. */
  cut(from: Seat, to: string): void;
  heal(from: Seat, to: string): void;
}

const tool = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find((file) => existsSync(file));
const isRoot = process.getuid?.() === 0;

function ip(...args: readonly string[]): void {
  const { status, stderr } = spawnSync(tool ?? 'ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}

/** Names hold the process, so that what a killed run has left can be told from what is in use. */
const prefix = 'hxc';

function removeAllOf(pid: string): void {
  const folder = '/run/netns';
  const own = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${prefix}${pid}-`)) : [];
  for (const name of own) spawnSync(tool ?? 'ip', ['netns', 'del', name]);
  spawnSync(tool ?? 'ip', ['link', 'del', `${prefix}${pid}`]);
}

function removeLeft(): void {
  const bridges = readdirSync('/sys/class/net').filter((name) => name.startsWith(prefix) && !name.includes('v'));
  for (const name of bridges)
    if (!existsSync(`/proc/${name.slice(prefix.length)}`)) removeAllOf(name.slice(prefix.length));
}

/** `undefined` where this user, or this system, can make none. */
export function openNetwork(): Network | undefined {
  if (tool === undefined || !isRoot) return undefined;
  const [pid, part] = [String(process.pid), process.pid % 250];
  const [address, range] = [`10.77.${part}.1`, `10.77.${part}.0/24`];
  const remove = (): void => removeAllOf(pid);
  try {
    removeLeft();
    ip('link', 'add', `${prefix}${pid}`, 'type', 'bridge');
    ip('addr', 'add', `${address}/24`, 'dev', `${prefix}${pid}`);
    ip('link', 'set', `${prefix}${pid}`, 'up');
  } catch {
    remove();
    return undefined;
  }
  process.once('exit', remove);
  const seats = new Map<number, Seat>();
  const namespace = ({ command }: Seat): string => command[3] ?? '';
  const seat = (number: number): Seat => {
    const name = `${prefix}${pid}-${number}`;
    const own = { address: `10.77.${part}.${10 + number}`, range, command: [tool, 'netns', 'exec', name] };
    ip('netns', 'add', name);
    const link = `${prefix}${pid}v${number}`;
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', link, 'master', `${prefix}${pid}`, 'up');
    ip('-n', name, 'addr', 'add', `${own.address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
    return own;
  };
  return {
    address,
    range,
    seat(number) {
      const found = seats.get(number) ?? seat(number);
      seats.set(number, found);
      return found;
    },
    cut: (from, to) => ip('-n', namespace(from), 'route', 'replace', 'blackhole', `${to}/32`),
    // Two faults may cut the same way: the first one that is over heals it.
    heal: (from, to) => void spawnSync(tool, ['-n', namespace(from), 'route', 'del', 'blackhole', `${to}/32`]),
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
