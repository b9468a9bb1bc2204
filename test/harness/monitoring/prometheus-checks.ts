/**
 * Checks a response against the rules of Prometheus HTTP service discovery
 * (https://prometheus.io/docs/prometheus/latest/http_sd/): status, content type, target groups without other
 * fields, and label names that all versions accept. Returns the errors.
 */
export function checkServiceDiscovery({ status, headers, body }: DiscoveryResponse): readonly string[] {
  const errors: string[] = [];
  const type = headers.get('content-type') ?? '';
  if (status !== 200) errors.push(`status ${status}`);
  if (!/^application\/json(;\s*charset=("utf-8"|utf-8))?$/i.test(type)) errors.push(`content type ${type}`);
  if (!Array.isArray(body)) return [...errors, 'not a list'];
  return errors.concat(body.flatMap((group, index) => checkGroup(group).map(error => `${index}: ${error}`)));
}

interface DiscoveryResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Host and port, IPv6 in brackets, without scheme and path. */
const TARGET = /^(?:\[[0-9a-f:]+\]|[0-9a-zA-Z.-]+):[0-9]{1,5}$/;

function checkGroup(group: unknown): readonly string[] {
  if (group === null || typeof group !== 'object') return ['not an object'];
  const { targets, labels, ...others } = group as { targets?: unknown; labels?: unknown };
  return [
    ...Object.keys(others).map(key => `unknown field ${key}`),
    ...(Array.isArray(targets) ? targets.filter(isInvalidTarget).map(String) : ['no targets']),
    ...checkLabels(labels),
  ];
}

const isInvalidTarget = (target: unknown) => typeof target !== 'string' || !TARGET.test(target);

function checkLabels(labels: unknown): readonly string[] {
  if (labels === null || typeof labels !== 'object' || Array.isArray(labels)) return ['no labels'];
  return Object.entries(labels).flatMap(([name, value]) => [
    // Labels without `__meta_` would be added to all scraped metrics or change the scrape.
    ...(LABEL_NAME.test(name) && name.startsWith('__meta_hostler_') ? [] : [`label ${name}`]),
    ...(typeof value === 'string' ? [] : [`value of ${name}`]),
  ]);
}

/** PromQL keywords. */
const KEYWORDS = /^(by|without|on|ignoring|group_left|group_right|and|or|unless|bool|offset)$/;

/**
 * Metric names in a PromQL query: words that are not keywords, function calls, grouping labels or selectors.
 */
export function findMetricNames(query: string): readonly string[] {
  const bare = query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const words = [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*/g)];
  const isCalled = (at: number, word: string) => /^\s*\(/.test(bare.slice(at + word.length));
  return [
    ...new Set(
      words.filter(({ index, 0: word }) => !KEYWORDS.test(word) && !isCalled(index, word)).map(([word]) => word),
    ),
  ];
}
