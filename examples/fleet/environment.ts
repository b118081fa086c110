import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** @throws {Error} where the variable is not set. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The variable ${name} is not set.`);
  return value;
}

/** The words of a variable, which commas divide; `undefined` where it is not set. */
export function listed(name: string): readonly string[] | undefined {
  return process.env[name]?.split(',').map((word) => word.trim());
}

/** Where other processes of the fleet reach this one: the first IPv4 of this machine within the ranges. */
export function ownAddress(ranges: readonly string[] = ['127.0.0.0/8']): string {
  const allowed = new BlockList();
  for (const [network = '', bits = ''] of ranges.map((range) => range.split('/')))
    if (isIP(network) === 4) allowed.addSubnet(network, Number(bits));
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  const own = addresses.find((address) => isIP(address) === 4 && allowed.check(address));
  if (own === undefined)
    throw new Error(`No address of this machine is within FLEET_RANGES (${ranges.join()}): set FLEET_ADDRESS.`);
  return `https://${own}:7070`;
}

/** Starts a program. A failure is one line, for the person who set the variables. */
export async function startOrExit(called: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const remedy: unknown = Reflect.get(Object(error), 'remedy');
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${called} cannot start: ${[reason, remedy].filter(Boolean).join(' ')}`);
    // Something may be open already.
    process.exit(1);
  }
}
