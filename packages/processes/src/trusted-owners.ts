import { posix, win32 } from 'node:path';
import type { HostEnvironment } from './host-environment.ts';

/** Whether files of this owner may be run: those of root, of this user, and of an owner that is trusted already. */
export function isTrusted(
  owner: number | undefined,
  { user }: Pick<HostEnvironment, 'user'>,
  alsoTrusted?: number,
): boolean {
  return owner === undefined || owner === 0 || owner === user || owner === alsoTrusted;
}

/** The first part of a path that another user made in a folder that every user may write to, such as `/tmp`. */
export function findUntrusted(path: string, host: HostEnvironment, alsoTrusted?: number): string | undefined {
  const { dirname } = host.platform === 'win32' ? win32 : posix;
  for (let place = path; dirname(place) !== place; place = dirname(place))
    if (host.isOpenToAll(dirname(place)) && !isTrusted(host.owner(place), host, alsoTrusted)) return place;
  return undefined;
}
