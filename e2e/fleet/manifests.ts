import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const root: string = fileURLToPath(new URL('../../', import.meta.url));
const folder = path.join(root, 'examples/fleet');

/** A worker or a gateway as a manifest runs it. */
export interface ManifestProgram {
  readonly from: string;
  readonly command: readonly string[];
  /** Values as they are written: with `${NAME:?…}` or `$(NAME)` in them. */
  readonly env: Readonly<Record<string, string>>;
  /** The secrets that it names, as Kubernetes does. */
  readonly secrets: readonly string[];
  /** The ports at which others reach it. */
  readonly ports: readonly number[];
  readonly graceSeconds: number;
}

interface ComposeService {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly env: readonly Variable[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly readinessProbe: Readonly<Record<string, { readonly port?: string }>>;
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Readonly<Record<string, unknown>>;
    readonly ports?: readonly { readonly targetPort: number }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly Container[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

const compose: { readonly services: Readonly<Record<string, ComposeService>> } = parse(
  readFileSync(path.join(folder, 'compose.yaml'), 'utf8'),
  { merge: true },
);

export const kubernetes: readonly KubernetesObject[] = globSync('k8s/*.yaml', { cwd: folder }).flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${file} is not YAML.`, { cause: error });
    return document.toJS() as KubernetesObject; // the tests look at what it has
  }),
);

const composePrograms = Object.entries(compose.services).flatMap(([name, service]): readonly ManifestProgram[] =>
  service.command === undefined
    ? []
    : [
        {
          from: `compose ${name}`,
          command: service.command,
          env: service.environment,
          secrets: [],
          ports: (service.ports ?? []).map((port) => Number(port.split(':').at(-1))),
          graceSeconds: Number.parseInt(service.stop_grace_period ?? '10', 10),
        },
      ],
);

export const workloads = kubernetes.filter(({ kind }) => kind !== 'Service');

const kubernetesPrograms = workloads.flatMap(({ spec: { template } }): readonly ManifestProgram[] =>
  template.spec.containers.flatMap(({ name, command, env, ports }) =>
    command === undefined
      ? []
      : [
          {
            from: `k8s ${name}`,
            command,
            env: Object.fromEntries(env.map((each) => [each.name, each.value ?? ''])),
            secrets: env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []),
            ports: ports.map(({ containerPort }) => containerPort),
            graceSeconds: template.spec.terminationGracePeriodSeconds ?? 30,
          },
        ],
  ),
);

export const programs: readonly ManifestProgram[] = [...composePrograms, ...kubernetesPrograms];

/** The variables that a program reads, by its source. */
export function variablesOf(program: string): readonly string[] {
  const source = readFileSync(path.join(root, program), 'utf8');
  return [...source.matchAll(/(?:required\(|listed\(|process\.env\[)'([A-Z_]+)'/g)].map(([, name = '']) => name);
}

export const readme: string = readFileSync(path.join(folder, 'README.md'), 'utf8');
