import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span as OTLP writes it in JSON. */
export interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly OtlpAttribute[];
}

interface Body {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
}

export interface OtlpReceiver extends AsyncDisposable {
  /** The variables with which an agent exports its spans to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly spans: readonly OtlpSpan[];
}

/** A receiver of OTLP on the loopback interface, and the variables for an agent. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: OtlpSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString();
      const { resourceSpans = [] } = JSON.parse(text) as Body; // of an exporter that writes OTLP
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.end('{}');
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    spans,
    env: {
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
      DISABLE_TELEMETRY: '',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The value of an attribute. */
export function attributeOf({ attributes = [] }: OtlpSpan, name: string): unknown {
  const found = attributes.find(({ key }) => key === name);
  return found && Object.values(found.value)[0];
}
