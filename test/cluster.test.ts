/** The manifests for Kubernetes, as far as they can be checked without a cluster. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { variables } from '#platform/config/variables.ts';
import { hasInterop, interopModules, interopNote } from './support/interop.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'deploy/kubernetes');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
);
const headSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }).optional(),
});
const isKustomization = ({ kind }: { kind: string }): boolean => /^(?:Kustomization|Component)$/.test(kind);
const documents = files
  .filter((name) => !name.endsWith('adapter-rules.yaml'))
  .flatMap((file) =>
    parseAllDocuments(textOf(file)).map((document) => ({
      file,
      content: headSchema.parse(document.toJS()),
    })),
  );
const manifests = documents.flatMap(({ content }) => (isKustomization(content) ? [] : [content]));

/** Kubernetes' own schema of a kind; throws where a manifest does not fit it. */
const validate = async ({ apiVersion, kind, ...rest }: z.output<typeof headSchema>): Promise<void> => {
  const loaded = (await import(
    join(interopModules, 'kubernetes-models', apiVersion, `${kind}.js`)
  )) as Record<string, new (content: object) => { validate: () => void }>;
  const manifestClass = loaded[kind];
  if (!manifestClass) throw new Error(`no schema of ${apiVersion} ${kind}`);
  new manifestClass({ apiVersion, kind, ...rest }).validate();
};

test.skipIf(!hasInterop)(
  `Every manifest is valid by the published schema of its kind${interopNote}`,
  async () => {
    for (const manifest of manifests) await validate(manifest);
    expect(new Set(manifests.map(({ kind }) => kind))).toEqual(
      new Set([
        'ConfigMap',
        'ServiceAccount',
        'Job',
        'Deployment',
        'Service',
        'PodDisruptionBudget',
        'HorizontalPodAutoscaler',
        'Ingress',
        'NetworkPolicy',
      ]),
    );
    const broken = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 'two' } };
    await expect(validate(headSchema.parse(broken))).rejects.toThrow('replicas');
  },
);

test('Every folder lists its files, and each file exists', () => {
  const kustomizations = documents.filter(({ content }) => isKustomization(content));
  const listed = kustomizations.flatMap(({ file, content }) =>
    z
      .array(z.string())
      .parse(content['resources'] ?? [])
      .map((resource) => join(dirname(file), resource)),
  );
  expect(listed.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  const kept = files.filter((name) => !/(?:kustomization|adapter-rules)\.yaml$/.test(name));
  expect(kept.filter((name) => !listed.includes(name))).toEqual([]);
});

const podSchema = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    automountServiceAccountToken: z.boolean(),
    securityContext: z.looseObject({ runAsNonRoot: z.boolean(), runAsUser: z.number() }),
    containers: z.array(
      z.looseObject({
        name: z.string(),
        image: z.string(),
        command: z.array(z.string()),
        env: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
        securityContext: z.unknown(),
        volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
      }),
    ),
  }),
});
const pods = manifests.flatMap(({ kind, spec }) =>
  kind === 'Deployment' || kind === 'Job'
    ? [z.looseObject({ template: podSchema }).parse(spec).template]
    : [],
);

test('Every pod runs an existing file as an ordinary user who can write only to empty folders', () => {
  expect(pods.length).toBe(5);
  for (const { spec } of pods) {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    });
    for (const { name, image, command, securityContext, volumeMounts } of spec.containers) {
      expect([name, image, command[0]]).toEqual([name, 'efb-backend', 'node']);
      expect([name, existsSync(join(root, command[1] ?? ''))]).toEqual([name, true]);
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp', '/data']);
    }
  }
});

test('Every variable and every key of the secret is known to the service', () => {
  const settings = manifests
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap(({ data }) => Object.keys(data ?? {}));
  const given = pods.flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env.map(({ name }) => name)));
  const secrets = [...textOf('README.md').matchAll(/--from-literal='?(\w+)=/g)].map(([, name = '']) => name);
  const names = [...settings, ...given, ...secrets];
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
});

test('Autoscalers use CPU, and with the adapter component every metric of its rules', async () => {
  const rules = z
    .record(
      z.string(),
      z.array(z.looseObject({ seriesQuery: z.string(), name: z.object({ as: z.string() }).optional() })),
    )
    .parse(parse(textOf('adapter/adapter-rules.yaml')));
  const made = Object.values(rules)
    .flat()
    .map(({ seriesQuery, name }) => name?.as ?? /^\w+/.exec(seriesQuery)?.[0]);
  const metricsOf = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"metric":\{"name":"(\w+)"/g)].map(([, name]) => name);
  const scalers = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  // An autoscaler removes no pods as long as one of its metrics cannot be read.
  expect(scalers.flatMap(metricsOf)).toEqual([]);
  const { patches } = z
    .looseObject({
      patches: z.array(z.object({ target: z.looseObject({ name: z.string() }), patch: z.string() })),
    })
    .parse(parse(textOf('adapter/kustomization.yaml')));
  expect(new Set(patches.flatMap(({ patch }) => metricsOf(parse(patch))))).toEqual(new Set(made));
  for (const { target, patch } of patches) {
    const scaler = structuredClone(scalers.find(({ metadata }) => metadata?.name === target.name));
    if (!scaler) throw new Error(`there is no autoscaler ${target.name}`);
    const metrics = z.looseObject({ metrics: z.array(z.unknown()) }).parse(scaler['spec']).metrics;
    const added = z.array(z.object({ op: z.literal('add'), value: z.unknown() })).parse(parse(patch));
    if (!hasInterop) continue;
    await validate({
      ...scaler,
      spec: { ...(scaler['spec'] as object), metrics: [...metrics, ...added.map(({ value }) => value)] },
    });
  }
});

test('Every tier is scraped under the name used by the alerts', () => {
  const config = textOf('prometheus.yml');
  expect(config).toContain('__meta_kubernetes_pod_label_app_kubernetes_io_name], target_label: job');
  const tiers = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata }) => metadata?.name ?? '');
  const alerts = readFileSync(join(root, 'docs/operations/alerts.yml'), 'utf8');
  expect(new Set(tiers)).toEqual(new Set(['efb-api', 'efb-workers', 'efb-scheduler']));
  for (const tier of tiers) expect(alerts).toContain(`absent(up{job="${tier}"})`);
});
