import { posix, win32 } from 'node:path';
import { isAbsolutePath } from './absolute-path.ts';
import type { HostEnvironment } from './host-environment.ts';
import { searchPath } from './search-path.ts';

/**
 * The path of a tool that comes with the system, such as `ps` or `taskkill`. By its name alone Windows would take it from
 * the working directory, and other systems would where `PATH` has an entry that is not absolute.
 */
export function systemTool(name: string, host: HostEnvironment): string {
  if (host.platform !== 'win32') {
    const folders = `${host.env('PATH') ?? ''}:/usr/bin:/bin:/usr/sbin:/sbin`;
    return searchPath(name, host, folders).path ?? posix.join('/usr/bin', name);
  }
  const root = host.env('SYSTEMROOT') ?? '';
  return win32.join(isAbsolutePath(root, 'win32') ? root : 'C:\\Windows', 'System32', `${name}.exe`);
}
