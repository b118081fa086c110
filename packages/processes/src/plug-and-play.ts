/** What is used of the object that Yarn gives for a project. */
interface PlugAndPlay {
  resolveRequest(request: string, issuer: string): string | null;
}

/** @throws {Error} when Yarn does not let `from` reach the request */
export function resolveInPlugAndPlay(request: string, from: string): string | undefined {
  if (process.versions['pnp'] === undefined) return undefined;
  // Yarn adds the function to the module of Node, which no other code needs; `require.resolve` would search NODE_PATH too.
  const findPnpApi = Reflect.get(process.getBuiltinModule('node:module'), 'findPnpApi') as
    | ((path: string) => PlugAndPlay | null)
    | undefined;
  return findPnpApi?.(from)?.resolveRequest(request, from) ?? undefined;
}
