/** The manifests for Kubernetes, as far as they can be checked without a cluster. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { variables } from '#platform/config/variables.ts';

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
const documents = files
  .filter((name) => !name.endsWith('adapter-rules.yaml'))
  .flatMap((file) =>
    parseAllDocuments(textOf(file)).map((document) => ({
      file,
      content: headSchema.parse(document.toJS()),
    })),
  );
const manifests = documents.flatMap(({ content }) => (content.kind === 'Kustomization' ? [] : [content]));

/** Kubernetes' own schema of a kind; throws where a manifest does not fit it. */
const validate = async ({ apiVersion, kind, ...rest }: z.output<typeof headSchema>): Promise<void> => {
  const group = apiVersion.includes('/') ? apiVersion : `./${apiVersion}`;
  const loaded = (await import(`kubernetes-models/${group.replace('./', '')}/${kind}`)) as Record<
    string,
    new (content: object) => { validate: () => void }
  >;
  const manifestClass = loaded[kind];
  if (!manifestClass) throw new Error(`no schema of ${apiVersion} ${kind}`);
  new manifestClass({ apiVersion, kind, ...rest }).validate();
};

test('Every manifest is what the published schema of its kind demands', async () => {
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
});

test('Every folder lists its files, and each is there', () => {
  const kustomizations = documents.filter(({ content }) => content.kind === 'Kustomization');
  const listed = kustomizations.flatMap(({ file, content }) =>
    z
      .array(z.string())
      .parse(content['resources'])
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

test('Every variable and every key of the secret is one that the service knows', () => {
  const settings = manifests
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap(({ data }) => Object.keys(data ?? {}));
  const given = pods.flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env.map(({ name }) => name)));
  const secrets = [...textOf('README.md').matchAll(/--from-literal='?(\w+)=/g)].map(([, name = '']) => name);
  const names = [...settings, ...given, ...secrets];
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
});

test('Autoscalers read CPU or metrics that the rules of the adapter make', () => {
  const rules = z
    .record(
      z.string(),
      z.array(z.looseObject({ seriesQuery: z.string(), name: z.object({ as: z.string() }).optional() })),
    )
    .parse(parse(textOf('base/adapter-rules.yaml')));
  const made = Object.values(rules)
    .flat()
    .map(({ seriesQuery, name }) => name?.as ?? /^\w+/.exec(seriesQuery)?.[0]);
  const read = manifests
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    .flatMap(({ spec }) =>
      [...JSON.stringify(spec).matchAll(/"metric":\{"name":"(\w+)"/g)].map(([, name]) => name),
    );
  expect(new Set(read)).toEqual(new Set(made));
});
