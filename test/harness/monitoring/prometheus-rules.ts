/**
 * What Prometheus takes from an HTTP service discovery (https://prometheus.io/docs/prometheus/latest/http_sd/), and what it would pass
 * over: the status, the content type as it compares it, a list of target groups and nothing else in them, names of labels as all its
 * versions take them. Answers what is wrong, nothing for a good answer.
 */
export function discoveryProblems({ status, headers, body }: Answer): readonly string[] {
  const problems: string[] = [];
  const type = headers.get('content-type') ?? '';
  if (status !== 200) problems.push(`status ${status}`);
  if (!/^application\/json(;\s*charset=("utf-8"|utf-8))?$/i.test(type)) problems.push(`content type ${type}`);
  if (!Array.isArray(body)) return [...problems, 'not a list'];
  return problems.concat(
    body.flatMap((group, index) => groupProblems(group).map(what => `${index}: ${what}`)),
  );
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Host and port, IPv6 in brackets; a target has neither scheme nor path. */
const TARGET = /^(?:\[[0-9a-f:]+\]|[0-9a-zA-Z.-]+):[0-9]{1,5}$/;

function groupProblems(group: unknown): readonly string[] {
  if (group === null || typeof group !== 'object') return ['not an object'];
  const { targets, labels, ...others } = group as { targets?: unknown; labels?: unknown };
  return [
    ...Object.keys(others).map(key => `unknown field ${key}`),
    ...(Array.isArray(targets) ? targets.filter(isNoTarget).map(String) : ['no targets']),
    ...labelProblems(labels),
  ];
}

const isNoTarget = (target: unknown) => typeof target !== 'string' || !TARGET.test(target);

function labelProblems(labels: unknown): readonly string[] {
  if (labels === null || typeof labels !== 'object' || Array.isArray(labels)) return ['no labels'];
  return Object.entries(labels).flatMap(([name, value]) => [
    // Others than __meta_ would stay on what is scraped, or steer how that is done.
    ...(LABEL_NAME.test(name) && name.startsWith('__meta_hostler_') ? [] : [`label ${name}`]),
    ...(typeof value === 'string' ? [] : [`value of ${name}`]),
  ]);
}
