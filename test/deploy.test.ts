import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { untriedIn, warningsOf } from '../src/config/report.ts';
import { readConfig, SETTINGS } from '../src/config.ts';
import { createPrometheusMetrics } from '../src/metrics/prometheus.ts';
import { DOCUMENT_BODY_BYTES_MAX } from '../src/wallet/file-types.ts';
import { newDirectory } from './kit/new-directory.ts';
import { configOf } from './kit/settings.ts';
import { filesIn, ROOT, readText } from './kit/tree.ts';

/** The files for operators must match the settings, routes, metrics and sections. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly stringData?: Record<string, string>;
  readonly spec?: {
    readonly replicas?: number;
    readonly progressDeadlineSeconds?: number;
    readonly scaleTargetRef?: { readonly name: string };
    readonly template?: { readonly spec: PodSpec };
    readonly selector?: Selector;
  };
}
interface Selector {
  readonly matchLabels: Record<string, string>;
}
interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom: readonly object[];
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
    readonly startupProbe: Probe;
  }[];
}
interface Probe {
  readonly httpGet: { readonly path: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const FILES = filesIn(['deploy'], ['.yml', '.yaml']);
const MANIFESTS = filesIn(['deploy/kubernetes'], ['.yaml']).flatMap(
  (path) => parseAllDocuments(readText(path)).map((document) => document.toJS()) as Manifest[],
);
const DEPLOYMENTS = MANIFESTS.flatMap(({ metadata, spec }) =>
  spec?.template ? [{ name: metadata.name, spec, pod: spec.template.spec }] : [],
);
const PODS = DEPLOYMENTS.map(({ name, pod }) => ({ name, pod }));
const KUSTOMIZATION = parse(readText('deploy/kubernetes/kustomization.yaml')) as {
  namespace: string;
  resources: string[];
  configMapGenerator?: { name: string; envs: string[] }[];
};
/** Where pods find the files of the secret. */
const SECRETS_AT = '/run/secrets/wasl';
const SECRETS = Object.keys(MANIFESTS.find(({ kind }) => kind === 'Secret')?.stringData ?? {});
const SETTINGS_GIVEN = Object.fromEntries(
  [...readText('deploy/kubernetes/settings.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
) as Record<string, string>;
const ALL_RULES = (
  parse(readText('deploy/prometheus/alerts.yml')) as {
    groups: { rules: (Rule | { readonly record: string; readonly expr: string })[] }[];
  }
).groups.flatMap(({ rules }) => rules);
const RULES = ALL_RULES.flatMap((rule) => ('alert' in rule ? rule : []));
const RECORDED = ALL_RULES.flatMap((rule) => ('record' in rule ? rule : []));
const COMPOSE = parse(readText('deploy/compose/compose.yaml'), { merge: true }) as {
  services: Record<string, { environment?: Record<string, string>; stop_grace_period?: string }>;
};
/** After the drain: requests under way get 5 s, and the rest some more. */
const END_MAX_MS = 10_000;

test.each(FILES)('%s can be read, and says nothing twice', (path) => {
  const faults = parseAllDocuments(readText(path), { merge: true, uniqueKeys: true }).flatMap(
    ({ errors }) => errors,
  );
  expect(faults).toEqual([]);
});

describe('Kubernetes', () => {
  test('runs a pod of each role, and keeps one of each when machines are emptied', () => {
    const roles = PODS.map(({ pod }) => pod.containers[0]?.env.find(({ name }) => name === 'ROLES')?.value);
    expect(roles.sort()).toEqual(['console', 'doors', 'worker']);
    const budgets = MANIFESTS.filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ spec }) => spec?.selector?.matchLabels.role).sort()).toEqual(roles);
  });

  test.each(PODS)('$name asks for the process’s own answers, and gives it time to end', ({ pod }) => {
    expect(pod.enableServiceLinks).toBe(false);
    const [container] = pod.containers;
    expect(container?.livenessProbe.httpGet.path).toBe('/health');
    expect(container?.startupProbe.httpGet.path).toBe('/health');
    expect(container?.readinessProbe.httpGet.path).toBe('/ready');
    const drainMs = Number(SETTINGS_GIVEN.DRAIN_MS);
    const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {};
    // A start that may take half an hour is no failed deploy.
    const { startupProbe } = container as PodSpec['containers'][number];
    const deadline = DEPLOYMENTS.find((each) => each.pod === pod)?.spec.progressDeadlineSeconds ?? 600;
    expect(deadline).toBeGreaterThan(startupProbe.periodSeconds * startupProbe.failureThreshold);
    expect(drainMs).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(drainMs + END_MAX_MS);
  });

  test('gives settings that there are, which would start a process of each role', () => {
    const named = PODS.flatMap(({ pod }) => pod.containers.flatMap(({ env }) => env.map(({ name }) => name)));
    const given = Object.keys(SETTINGS_GIVEN).map((name) => name.replace(/_FILE$/, ''));
    expect([...given, ...named].filter((name) => !SETTINGS.includes(name))).toEqual([]);
    const directory = newDirectory('secrets');
    const secret = MANIFESTS.find(({ kind }) => kind === 'Secret')?.stringData ?? {};
    for (const [name, value] of Object.entries(secret))
      writeFileSync(join(directory, name), `${value || `${name}-4kXq9zPw7vTn2mRb8sYc5hLd`}\n`);
    const filled = Object.fromEntries(
      Object.entries(SETTINGS_GIVEN).map(([name, value]) => [name, value.replace(SECRETS_AT, directory)]),
    );
    for (const { pod } of PODS) {
      const own = Object.fromEntries(pod.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []);
      expect(readConfig({ ...filled, ...own })).not.toHaveProperty('refused');
    }
  });
});

describe('Kubernetes, once it runs', () => {
  test('applying the files again undoes no autoscaler', () => {
    const scaled = MANIFESTS.flatMap(({ spec }) => spec?.scaleTargetRef?.name ?? []);
    expect(scaled).not.toEqual([]);
    const fixed = DEPLOYMENTS.filter(({ spec }) => spec.replicas !== undefined).map(({ name }) => name);
    expect(fixed.filter((name) => scaled.includes(name))).toEqual([]);
  });

  test('a changed setting restarts the pods: its map has another name', () => {
    expect(KUSTOMIZATION.configMapGenerator).toEqual([{ name: 'wasl', envs: ['settings.env'] }]);
    for (const { pod } of PODS)
      expect(pod.containers[0]?.envFrom).toEqual([{ configMapRef: { name: 'wasl' } }]);
  });

  test('secrets are files: no variable has one', () => {
    expect(SECRETS.map((name) => SETTINGS_GIVEN[`${name}_FILE`])).toEqual(
      SECRETS.map((name) => `${SECRETS_AT}/${name}`),
    );
    for (const { pod } of PODS)
      expect(pod.containers[0]?.volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: SECRETS_AT,
        readOnly: true,
      });
  });

  test('the namespace is made with the rest', () => {
    expect(KUSTOMIZATION.resources).toContain('namespace.yaml');
    const [namespace] = MANIFESTS.filter(({ kind }) => kind === 'Namespace');
    expect(namespace?.metadata.name).toBe(KUSTOMIZATION.namespace);
  });

  test('the ingress lets the largest upload of a customer pass', () => {
    const [ingress] = MANIFESTS.filter(({ kind }) => kind === 'Ingress');
    const [, megabytes] =
      /^(\d+)m$/.exec(ingress?.metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '') ??
      [];
    expect(Number(megabytes ?? 1) * 1_000_000).toBeGreaterThan(DOCUMENT_BODY_BYTES_MAX);
  });
});

describe('compose', () => {
  test('runs each role with time to end, and names settings that there are', () => {
    const wasl = Object.values(COMPOSE.services).filter(({ environment }) => environment?.ROLES);
    expect(wasl.map(({ environment }) => environment?.ROLES).sort()).toEqual(['console', 'doors', 'worker']);
    expect(wasl.map(({ stop_grace_period: grace }) => grace)).toEqual(['30s', '30s', '30s']);
    const example = readFileSync(join(ROOT, 'deploy/compose/settings.env.example'), 'utf8');
    const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const own = wasl.flatMap(({ environment = {} }) => Object.keys(environment));
    expect([...named, ...own].filter((name) => !SETTINGS.includes(name))).toEqual([]);
    expect(example).toMatch(/^REDIS_URL=redis:\/\/:<REDIS_PASSWORD>@/m);
  });

  test.each(Object.entries(COMPOSE.services))(
    '%s can write nowhere else, and gains no rights',
    (name, service) => {
      expect(service).toMatchObject({
        ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
        tmpfs: expect.arrayContaining(['/tmp']),
      });
      if (name === 'redis')
        expect(service).toHaveProperty(
          'command',
          expect.stringMatching(/ --requirepass \$\{REDIS_PASSWORD\} /),
        );
    },
  );
});

describe('the first day in production', () => {
  const blocks = [...readText('docs/operator/first-day.md').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, text = '']) => text,
  );
  const settingsIn = (text = '') =>
    Object.fromEntries(
      [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value = '']) => [
        name,
        value.replace('…', randomBytes(32).toString('base64url')),
      ]),
    );
  const common = blocks.find((text) => text.startsWith('WALLET_URL='));
  const processes =
    blocks
      .find((text) => text.startsWith('# /etc/wasl/'))
      ?.split(/^# \/etc\/wasl\//m)
      .slice(1) ?? [];

  test('has a file of settings for each role', () => {
    expect(processes.map((text) => settingsIn(text).ROLES)).toEqual(['doors', 'worker', 'console']);
  });

  test.each(processes)('leaves nothing unprotected: %s', (own) => {
    const SECRETS_KEY = randomBytes(32).toString('base64url');
    const config = configOf({ SECRETS_KEY, ...settingsIn(common), ...settingsIn(own) });
    expect(warningsOf(config)).toEqual([]);
    expect(untriedIn(config)).toContain('that the witness of the audit is taken');
  });
});

describe('systemd', () => {
  const unit = readText('deploy/systemd/wasl@.service');
  const set = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test('starts Node as the image does, and gives it time to end', () => {
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(readText('Dockerfile')) ?? [];
    const [, ...args] = JSON.parse(command) as string[];
    expect(set('ExecStart').split(' ').slice(1)).toEqual(args);
    const drainSeconds = 8;
    expect(Number(set('TimeoutStopSec'))).toBeGreaterThanOrEqual(drainSeconds + 10);
  });
});

describe('alerts and dashboard', () => {
  let metrics: Set<string>;
  beforeAll(async () => {
    const { routes } = createPrometheusMetrics({
      circuits: () => [],
      connections: () => [],
      concurrency: () => [],
      lacksReplicas: () => false,
      isDraining: () => false,
      waitsForRelease: () => false,
      skewMs: () => 0,
    });
    const text = await (await routes.request('/metrics')).text();
    const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`, name] : [name],
    );
    metrics = new Set([...names, 'up', ...RECORDED.map(({ record }) => record)]);
  });
  const metricsIn = (expr: string) =>
    [...expr.matchAll(/\b((?:wasl|process|nodejs)_\w+|wasl:[\w:]+|up)\b/g)].map(([, name = '']) => name);

  test.each(RULES)('$alert has a section in the runbooks and uses existing metrics', (rule) => {
    const { alert, expr, labels, annotations } = rule;
    expect(metricsIn(expr).filter((name) => !metrics.has(name))).toEqual([]);
    expect(metricsIn(expr)).not.toEqual([]);
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.runbook).toBe(`docs/operator/runbooks.md#${alert.toLowerCase()}`);
    expect(readText('docs/operator/runbooks.md')).toContain(`\n## ${alert}\n`);
  });

  test.each(RECORDED)('$record is made of existing metrics and promised', ({ record, expr }) => {
    expect(metricsIn(expr).filter((name) => !metrics.has(name))).toEqual([]);
    expect(readText('docs/operator/metrics.md')).toContain(`| \`${record}\` |`);
  });

  test('the runbooks have no section for an alert that there is not', () => {
    const sections = [...readText('docs/operator/runbooks.md').matchAll(/^## (\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(sections.sort()).toEqual(RULES.map(({ alert }) => alert).sort());
  });

  describe('the runbooks name only existing things', () => {
    const text = readText('docs/operator/runbooks.md');
    const source = filesIn(['src'], ['.ts']).map(readText).join('\n');
    const sentences: readonly unknown[] = Object.values(JSON.parse(readText('locales/en/console.json')));
    const quoted = [...text.replaceAll(/`[^`]*`/g, '').matchAll(/"([^"]+)"/g)].map(([, words = '']) =>
      words.replaceAll('\n', ' '),
    );
    const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
    /** Names of Redis, PostgreSQL, Node and a shell. */
    const FOREIGN =
      /^(?:INFO (?:replication|persistence)|aof_last_write_status|LATENCY DOCTOR|SLOWLOG GET|SELECT .*pg_stat_activity.*|ECONNREFUSED|cluster-node-timeout|maxmemory-policy noeviction|chronyc tracking|curl .*)$/;

    test.each(quoted)('a line of the log, or a sentence of the console: "%s"', (words) => {
      const isLogged = ["'", '`'].some((quote) => source.includes(`${quote}${words}`));
      expect(isLogged || sentences.includes(words)).toBe(true);
    });

    test.each(spans.filter((span) => !FOREIGN.test(span)))(
      'a metric, a label, a setting, a route or a word of the log: `%s`',
      (span) => {
        const names = metricsIn(span);
        if (names.length > 0) return expect(names.filter((name) => !metrics.has(name))).toEqual([]);
        const [, setting] = /^([A-Z_]+)(?:=\w+)?$/.exec(span) ?? [];
        if (setting && SETTINGS.includes(setting)) return;
        const value = /^(?:\w+="(.*)"|\/?([\w-]+)(?:: \w+)?)$/.exec(span)?.slice(1).join('') ?? span;
        expect(source).toMatch(new RegExp(`['"/|:(_]${value}['"|):]`));
      },
    );
  });

  test('the dashboard draws existing metrics', () => {
    const dashboard = JSON.parse(readText('deploy/grafana/dashboards/wasl.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const exprs = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(exprs.filter((expr) => metricsIn(expr).length === 0)).toEqual([]);
    expect(exprs.flatMap(metricsIn).filter((name) => !metrics.has(name))).toEqual([]);
  });

  test('the table of metrics has each of our own, and no other', () => {
    const table = readText('docs/operator/metrics.md');
    const rows = [...table.matchAll(/^\| (`wasl_[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    const own = [...metrics].filter((name) => /^wasl_/.test(name) && !/_(?:bucket|count|sum)$/.test(name));
    expect(rows.sort()).toEqual(own.sort());
  });
});
