import type { TestProject } from 'vitest/node';
import { serverKinds, startServer, type ServerAddress, type ServerKind } from './servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    servers: readonly (ServerAddress & { readonly kind: ServerKind })[];
  }
}

/** Starts each server once for all tests that do not stop one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const servers = await Promise.all(serverKinds.map((kind) => startServer(kind)));
  project.provide(
    'servers',
    servers.map(({ address }, index) => ({ ...address, kind: serverKinds[index]! })),
  );
  return async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  };
}
