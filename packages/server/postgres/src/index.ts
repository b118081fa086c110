export type { DatabaseOptions, PostgresConnection, PostgresPool, PostgresStatement } from './options.ts';
export { postgresStores, type PostgresStores, type PostgresStoresOptions } from './postgres-stores.ts';
