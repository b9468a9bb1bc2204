const OPEN_METRICS = 'application/openmetrics-text';
/** What else stands for the older form. */
const OLDER = ['text/plain', 'text/*', '*/*'];

interface Range {
  readonly type: string;
  readonly version: string | undefined;
  readonly weight: number;
}

/** One of the kinds of answers that a caller takes (RFC 9110, 12.5.1). */
function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
  const parameter = (name: string) =>
    parameters.find(each => each.startsWith(`${name}=`))?.slice(name.length + 1);
  const weight = Number(parameter('q') ?? 1);
  return { type, version: parameter('version'), weight: Number.isFinite(weight) ? weight : 0 };
}

/** Whether a caller would rather have OpenMetrics than Prometheus' older form. Whoever names neither gets that. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange);
  const heaviest = (isMeant: (range: Range) => boolean) =>
    Math.max(0, ...ranges.filter(isMeant).map(({ weight }) => weight));
  const weight = heaviest(
    ({ type, version = '1.0.0' }) => type === OPEN_METRICS && version.replaceAll('"', '') === '1.0.0',
  );
  return weight > 0 && weight >= heaviest(({ type }) => OLDER.includes(type));
}
