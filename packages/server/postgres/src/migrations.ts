/* oxlint-disable max-lines-per-function -- a list of statements */
/**
 * The statements that make each version of the tables from the one before, in the schema `s`. A migration that was released is never
 * changed. Processes of the version before work on while it runs, so it only adds.
 *
 * Names are compared byte by byte: the order of a language changes with the system, and would spoil the indexes.
 */
export const migrations: readonly ((s: string) => readonly string[])[] = [
  (s) => [
    `create table ${s}.migrations (version integer primary key, applied_at timestamptz not null default now())`,

    // A row stays after its session was deleted: an older lease must not bring it back.
    `create table ${s}.sessions (
      id text collate "C" primary key,
      fence bigint not null default 0,
      worker bigint,
      last_number bigint not null default 0
    ) with (fillfactor = 70)`,
    `create index on ${s}.sessions (worker) where worker is not null`,

    // A worker lives as long as its row is there and its time has not passed.
    `create table ${s}.workers (
      id bigint generated always as identity primary key,
      owner text collate "C" not null unique,
      address text,
      capacity integer,
      is_draining boolean not null default false,
      expires_at timestamptz not null
    ) with (fillfactor = 50)`,

    `create table ${s}.places (
      tenant text collate "C" not null,
      number integer not null,
      worker bigint not null references ${s}.workers on delete cascade,
      primary key (tenant, number)
    )`,
    `create index on ${s}.places (worker)`,

    `create table ${s}.messages (
      id bigint generated always as identity primary key,
      session text collate "C" not null,
      uuid text collate "C" not null,
      number bigint not null,
      state text not null,
      input text not null,
      finish bigint,
      unique (session, uuid)
    ) with (fillfactor = 85)`,
    `create index on ${s}.messages (id) where finish is null`,
    `create index on ${s}.messages (session, id) where finish is null`,
    `create index on ${s}.messages (session, finish) where finish is not null`,
    `create sequence ${s}.finishes`,

    `create table ${s}.directory (
      id text collate "C" primary key,
      tenant text collate "C",
      updated_at double precision not null,
      record text not null
    )`,
    `create index on ${s}.directory (updated_at desc, id)`,
    `create index on ${s}.directory (tenant, updated_at desc, id)`,

    `create table ${s}.approvals (
      number bigint generated always as identity primary key,
      id text collate "C" not null unique,
      session text collate "C" not null,
      tool text collate "C" not null,
      state text not null,
      record text not null,
      settlement text
    )`,
    `create index on ${s}.approvals (session, tool)`,
    `create index on ${s}.approvals (number) where state = 'open'`,
    `create table ${s}.audit (
      number bigint generated always as identity primary key,
      session text collate "C" not null,
      entry text not null
    )`,
    `create index on ${s}.audit (session, number)`,

    `create table ${s}.transcripts (
      id bigint generated always as identity primary key,
      project text collate "C" not null,
      session text collate "C" not null,
      subpath text collate "C" not null,
      written_at timestamptz not null,
      unique (project, session, subpath)
    )`,
    `create table ${s}.entries (
      number bigint generated always as identity,
      transcript bigint not null references ${s}.transcripts on delete cascade,
      uuid text collate "C",
      entry text not null,
      primary key (transcript, number)
    )`,
    `create unique index on ${s}.entries (transcript, uuid) where uuid is not null`,
  ],
];
