import { describe, expect, it } from 'vitest';
import { drawHost, type Drawing } from './drawn-host.ts';
import { code, failureOf, found, pathOf, sdk } from './searching.ts';

describe('A build in a package', () => {
  const store = '/app/node_modules/.pnpm';

  /** A folder in which an application has a link to a package, and the package its build beside it. */
  const strictTree = (name: string) => ({
    files: { [`${store}/sdk/node_modules/${name}/package.json`]: '{}', '/store/build/claude': '' },
    links: {
      [`/app/node_modules/${name}`]: `${store}/sdk/node_modules/${name}`,
      [`${store}/sdk/node_modules/${sdk}-linux-x64`]: '/store/build',
    },
  });
  const linked = (name: string) => ({ [`/app/node_modules/${name}/x`]: '' });

  it.each([sdk, '@hexagent/sdk', '@hexagent/claude-agent-sdk'])(
    'is a neighbour of %s, which asked for it, in a strict tree',
    (name) => {
      const { files, links } = strictTree(name);
      expect(pathOf({ files: { ...files, ...linked(name) }, links })).toBe('/store/build/claude');
    },
  );

  it('is the one that came with the SDK where claude-code was installed beside it, in a strict tree too', () => {
    const beside = `/app/node_modules/${code}-linux-x64/claude`;
    const flat = `/app/node_modules/${sdk}-linux-x64/claude`;
    expect(pathOf({ files: [beside, flat] })).toBe(flat);
    const { files, links } = strictTree('@hexagent/sdk');
    expect(pathOf({ files: { ...files, ...linked('@hexagent/sdk'), [beside]: '' }, links })).toBe(
      '/store/build/claude',
    );
  });

  it('comes from claude-code too, also inside of it', () => {
    const beside = `/app/node_modules/${code}-linux-arm64/claude`;
    const inside = `/app/node_modules/${code}/node_modules/${code}-linux-arm64/claude`;
    expect(pathOf({ arch: 'arm64', files: [beside] })).toBe(beside);
    expect(pathOf({ arch: 'arm64', files: [beside, inside] })).toBe(inside);
  });

  it('is named claude.exe on Windows', () => {
    const program = `C:\\app\\node_modules\\@anthropic-ai\\claude-agent-sdk-win32-x64\\claude.exe`;
    expect(pathOf({ platform: 'win32', roots: ['C:\\app\\main.js'], files: [program] })).toBe(program);
  });

  it('#25 is the one for this libc when both are installed', () => {
    const files = ['linux-x64', 'linux-x64-musl'].map((build) => `/app/node_modules/${sdk}-${build}/claude`);
    expect(pathOf({ libc: 'glibc', files })).toBe(files[0]);
    expect(pathOf({ libc: 'musl', files })).toBe(files[1]);
  });

  it('is taken without asking for the libc when it is the only one', () => {
    const program = `/app/node_modules/${sdk}-linux-x64-musl/claude`;
    const host = drawHost({ files: [program] });
    expect(found({ ...host, roots: host.roots, libc: () => expect.unreachable() }).path).toBe(program);
  });

  it('#7 is run from beside an Electron archive, where the system can run it', () => {
    const program = `/app/resources/app.asar/node_modules/${sdk}-linux-x64/claude`;
    expect(pathOf({ roots: ['/app/resources/app.asar/main.js'], files: [program] })).toBe(
      program.replace('app.asar', 'app.asar.unpacked'),
    );
    const given = '/app/resources/app.asar.unpacked/claude';
    expect(pathOf({}, given)).toBe(given);
  });

  it('is resolved as Yarn does it where there are no installed folders', () => {
    const main = '/app/.yarn/unplugged/code/package.json';
    const plugAndPlay = {
      [`${code}/package.json <- /app/main.js`]: main,
      [`${code}-linux-x64/claude <- ${main}`]: '/app/.yarn/unplugged/build/claude',
    };
    expect(pathOf({ plugAndPlay, env: { PATH: '/bin' }, files: ['/bin/claude'] })).toBe(
      '/app/.yarn/unplugged/build/claude',
    );
  });
});

describe('Of several installed builds', () => {
  it('the nearest one is taken, of either package', () => {
    const near = `/srv/app/node_modules/${code}-linux-x64/claude`;
    const far = `/srv/node_modules/${sdk}-linux-x64/claude`;
    expect(pathOf({ roots: ['/srv/app/src/main.js'], files: [far, near] })).toBe(near);
  });

  it('that of the application comes before the one beside the SDK, of either package', () => {
    const ofApplication = `/app/node_modules/${code}-linux-x64/claude`;
    const ofSdk = `/lib/node_modules/${sdk}-linux-x64/claude`;
    const roots = ['/app/main.js', '/lib/node_modules/@hexagent/sdk/dist/index.js'];
    expect(pathOf({ roots, files: [ofSdk, ofApplication] })).toBe(ofApplication);
    expect(pathOf({ roots, files: [ofSdk] })).toBe(ofSdk);
  });

  it('one that the package reaches only further up does not come before a nearer one', () => {
    const near = `/srv/app/node_modules/${code}-linux-x64/claude`;
    const files = [`/srv/app/node_modules/${sdk}/package.json`, `/srv/node_modules/${sdk}-linux-x64/claude`, near];
    expect(pathOf({ roots: ['/srv/app/main.js'], files })).toBe(near);
  });
});

describe('A folder above the application', () => {
  const planted = `/tmp/node_modules/${sdk}-linux-x64/claude`;
  const drawing: Drawing = { roots: ['/tmp/app/main.js'], openToAll: ['/tmp'], files: [planted] };

  it('is not searched when it is open to all and another user put packages there, and that is reported', () => {
    const strange: Drawing = { ...drawing, owners: { '/tmp/node_modules': 1001 } };
    expect(pathOf({ ...strange, env: { PATH: '/bin' }, files: [planted, '/bin/claude'] })).toBe('/bin/claude');
    expect(failureOf(strange).message).toContain('- /tmp/node_modules (put there by another user');
  });

  it('is not searched either when it has a folder of packages that is open to all', () => {
    const modules = '/tmp/node_modules';
    for (const [open, strange] of [
      [modules, `${modules}/@anthropic-ai`],
      [`${modules}/@anthropic-ai`, `${modules}/${sdk}-linux-x64`],
    ] as const)
      expect(failureOf({ ...drawing, openToAll: [open], owners: { [strange]: 1001 } }).message).toContain(strange);
  });

  it('is searched when root, this user or the owner of the application put them there', () => {
    for (const owner of [0, 1000]) expect(pathOf({ ...drawing, owners: { '/tmp/node_modules': owner } })).toBe(planted);
    expect(pathOf({ ...drawing, owners: { '/tmp': 1001 } })).toBe(planted);
  });

  it('is searched when not every user may write there, whichever user owns them', () => {
    expect(pathOf({ ...drawing, openToAll: [], owners: { '/tmp/node_modules': 1001 } })).toBe(planted);
  });

  it('on Windows is searched up to the drive, where everybody may create folders', () => {
    const build = (folder: string): string => `${folder}node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe`;
    const drawing: Drawing = { platform: 'win32', homes: [], files: [build('C:\\')], execPath: 'C:\\node\\node.exe' };
    expect(failureOf({ ...drawing, roots: ['C:\\work\\app\\main.js'] }).failure).toBe('missing');
    expect(pathOf({ ...drawing, roots: ['C:\\main.js'] })).toBe(build('C:\\'));
    expect(pathOf({ ...drawing, files: [build('C:\\work\\')], roots: ['C:\\work\\app\\main.js'] })).toBe(
      build('C:\\work\\'),
    );
  });
});
