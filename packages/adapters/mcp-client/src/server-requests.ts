import { errorText, isRecord, jsonCopy, kindOf } from '@hexagent/checks';
import {
  rpcCodes,
  type ElicitationAnswer,
  type ElicitationRequest,
  type Elicitor,
  type InteractionContext,
} from '@hexagent/ports';
import { attempt } from '@hexagent/async';
import { refused, type Fields, type Outcome } from './json-rpc.ts';
import type { Sampler } from './server-options.ts';

export interface ServerRequestsOptions {
  readonly name: string;
  readonly elicitor: Elicitor | undefined;
  readonly sampler: Sampler | undefined;
  readonly onMistake: (what: string, cause?: unknown) => void;
}

/** Answers the requests of a server to its client. The program answers, since a request does not name one of the agents. */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  /** The capabilities that are announced to the server. */
  readonly capabilities: Fields;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
    this.capabilities = {
      ...(options.elicitor === undefined ? {} : { elicitation: { form: {}, url: {} } }),
      ...(options.sampler === undefined ? {} : { sampling: {} }),
    };
  }

  /** Never rejects. */
  async answer(method: string, params: unknown, context: InteractionContext): Promise<Outcome> {
    const { elicitor, sampler } = this.#options;
    if (method === 'ping') return { result: {} };
    if (method === 'elicitation/create') {
      if (elicitor === undefined) return notOffered(method, 'elicitor');
      return { result: await this.#elicit(elicitor, isRecord(params) ? params : {}, context) };
    }
    if (method === 'sampling/createMessage') {
      if (sampler === undefined) return notOffered(method, 'sampler');
      return await this.#sample(sampler, isRecord(params) ? params : {}, context);
    }
    return refused(rpcCodes.methodNotFound, `This client does not offer ${method}.`);
  }

  /** An invalid answer counts as no answer: nothing is accepted in a person's name. */
  async #elicit(elicitor: Elicitor, params: Fields, context: InteractionContext): Promise<ElicitationAnswer> {
    const request = this.#toRequest(params);
    try {
      const answer: unknown = await attempt(() => elicitor.elicit(request, context));
      if (isAnswer(answer)) return sendable(toWire(answer));
      this.#mistaken(
        'answered with something that is no answer: it needs an action, which is accept, decline or cancel',
      );
    } catch (error) {
      this.#mistaken(`failed: ${errorText(error)}`, error);
    }
    return { action: 'cancel' };
  }

  #mistaken(what: string, cause?: unknown): void {
    const { name, onMistake } = this.#options;
    onMistake(
      `The elicitor of the MCP server ${name} ${what}. The server got the answer that no person answered.`,
      cause,
    );
  }

  async #sample(sampler: Sampler, params: Fields, context: InteractionContext): Promise<Outcome> {
    const { name, onMistake } = this.#options;
    try {
      const result: unknown = await attempt(() => sampler.sample(params, context));
      if (isRecord(result)) return { result: sendable(result) };
      throw new TypeError('it answered with no message');
    } catch (error) {
      onMistake(`The sampler of the MCP server ${name} failed: ${errorText(error)}.`, error);
      return refused(rpcCodes.internalError, `The sampler failed: ${errorText(error)}.`);
    }
  }

  #toRequest({ message, mode, requestedSchema, url, elicitationId }: Fields): ElicitationRequest {
    return {
      mcp_server_name: this.#options.name,
      message: typeof message === 'string' ? message : '',
      mode: mode === 'url' ? 'url' : 'form',
      ...(isRecord(requestedSchema) ? { requested_schema: requestedSchema } : {}),
      ...(typeof url === 'string' ? { url } : {}),
      ...(typeof elicitationId === 'string' ? { elicitation_id: elicitationId } : {}),
    };
  }
}

const notOffered = (method: string, option: string): Outcome =>
  refused(rpcCodes.methodNotFound, `This client does not offer ${method}: external() was given no \`${option}\`.`);

/** @throws {TypeError} for what JSON cannot carry: a server that is sent nothing waits for ever. */
function sendable<T extends object>(answer: T): T {
  const { copy, lost } = jsonCopy(answer, { name: 'answer' });
  if (isRecord(copy)) return copy as T; // as JSON carries it
  throw new TypeError(lost ?? `\`answer\` is ${kindOf(copy)} where it is written, and an object is accepted.`);
}

function isAnswer(value: unknown): value is ElicitationAnswer {
  if (!isRecord(value)) return false;
  const { action, content } = value;
  return (
    (action === 'accept' || action === 'decline' || action === 'cancel') && (content === undefined || isRecord(content))
  );
}

/** Only what is accepted has content. */
const toWire = ({ action, content }: ElicitationAnswer): ElicitationAnswer =>
  action === 'accept' && content !== undefined ? { action, content } : { action };
