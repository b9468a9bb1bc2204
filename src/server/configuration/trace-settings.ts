import { Secret } from '../../domain/secret.ts';
import { setting } from './setting.ts';
import { BadValue, decimal, text } from './setting-values.ts';

/** The default path of collectors for traces. */
const OTLP_PATH = '/v1/traces';

function traceEndpoint(raw: unknown): string {
  const given = text(raw);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new BadValue(
      'must be a URL that begins with http:// or https:// and contains no user name or password; use trace_headers for credentials',
    );
  if (url.pathname === '/') url.pathname = OTLP_PATH;
  return url.href;
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x20-\x7e]+)$/;

function secretHeaders(raw: unknown): Readonly<Record<string, Secret>> {
  const headers = text(raw)
    .split(',')
    .map(entry => HEADER.exec(entry.trim()));
  // The value is not repeated: it may be a secret.
  return Object.fromEntries(
    headers.map(found => {
      const [, name, value] = found ?? [];
      if (name === undefined || value === undefined) throw new BadValue('must be NAME=VALUE, NAME=VALUE');
      return [name, new Secret(value)];
    }),
  );
}

export const traceSettings = {
  trace_endpoint: setting({
    help: 'OTLP/HTTP endpoint for traces, such as http://127.0.0.1:4318; without it, tracing is off',
    parse: traceEndpoint,
  }),
  trace_headers: setting({
    help: 'Headers for trace_endpoint, as NAME=VALUE, NAME=VALUE',
    isSecret: true,
    parse: secretHeaders,
  }),
  trace_read_ratio: setting({
    help: 'Fraction of read-only requests to trace, from 0 to 1; requests that change something are always traced',
    default: '1',
    parse: decimal(0, 1),
  }),
};
