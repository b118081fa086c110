import { HandClock } from '@hexagent/testing';
import type { McpServer, SessionFeature } from '@hexagent/ports';
import { HostedServers } from '../src/index.ts';

/** For tests in which no time passes. */
export const hostServers = (servers: readonly McpServer[]): HostedServers =>
  new HostedServers(servers, { clock: new HandClock() });

export const inProcessServers = (servers: readonly McpServer[]): SessionFeature => hostServers(servers).feature;
