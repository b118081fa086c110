import { record } from '@hexagent/checks';
import { FleetChats } from '@hexagent/fleet';
import { createChatHandler, type RequestFacts } from '@hexagent/http-chat';
import { reachWorkers } from '@hexagent/http-fleet';
import { systemClock } from '@hexagent/processes';
import { chatKey } from './chat-keys.ts';
import { pageChecks, type ChatPageOptions } from './chat-options.ts';
import { closedResponse } from './closed-response.ts';
import { fleetChecks, refuseOther, type FleetOptions } from './fleet-options.ts';
import { openDatabase } from './host-stores.ts';
import { reportTo } from './reporting.ts';

/** Who may reach the chats of the workers. */
export interface GatewayOptions extends ChatPageOptions, FleetOptions {}

const gatewayOptions = record<GatewayOptions>(
  { ...pageChecks, ...fleetChecks },
  { called: 'the options of createGateway()', required: ['postgres', 'identity'] },
);

/** The chats of all workers behind a web page. Any number of gateways may be there; a page may use another one with each request. */
export interface ChatGateway extends AsyncDisposable {
  /** Answers the requests of the page. Never rejects. */
  handle(request: Request, facts?: RequestFacts): Promise<Response>;
  /** Ends its streams. The workers continue. */
  close(): Promise<void>;
}

/** As long as a worker whose machine has gone is waited for, and two seconds more. */
const takeoverGraceMs = 3000;

/**
 * Answers the requests of a page with the chats of the workers that share its database. It runs no agent.
 * @throws {TypeError} for options that make no sense.
 */
export function createGateway(options: GatewayOptions): ChatGateway {
  refuseOther(options, 'createGateway');
  const { identity, ranges, place, postgres, ...page } = gatewayOptions(options, '');
  const reporting = reportTo(page.onError);
  const { onError } = reporting;
  const workers = reachWorkers({ identity, ranges });
  const { leases, directory, leaseMs, close: closeStores } = openDatabase(postgres);
  const chats = new FleetChats({
    leases,
    directory,
    keyOf: (chatId, { tenant }) => chatKey(chatId, tenant),
    reach: (worker) => workers.reach(worker),
    place,
    clock: systemClock,
    giveUpAfterMs: leaseMs + takeoverGraceMs + 2000,
  });
  const { sessions, approvals, history } = chats;
  const handler = createChatHandler({ ...page, sessions, approvals, history, onError });
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    chats.close();
    workers.close();
    reporting.stop();
    await closeStores();
  };
  return {
    async handle(request, facts) {
      if (isClosed) return closedResponse();
      const response = await handler.handle(request, facts);
      return isClosed && response.status >= 500 ? closedResponse() : response;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
