import { Secret } from '../../domain/secret.ts';
import { decimalSetting, defineSetting, InvalidSettingError, parseText } from './setting.ts';

const OTLP_PATH = '/v1/traces';

function parseTraceEndpoint(raw: unknown): string {
  const value = parseText(raw);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidSettingError(
      'must be a URL that begins with http:// or https:// and contains no user name or password; use trace_headers for credentials',
    );
  if (url.pathname === '/') url.pathname = OTLP_PATH;
  return url.href;
}

const HEADER_PATTERN = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x20-\x7e]+)$/;

function parseSecretHeaders(raw: unknown): Readonly<Record<string, Secret>> {
  const headers = parseText(raw)
    .split(',')
    .map(entry => HEADER_PATTERN.exec(entry.trim()));
  // The message does not repeat the value, which can be a secret.
  return Object.fromEntries(
    headers.map(match => {
      const [, name, value] = match ?? [];
      if (name === undefined || value === undefined) throw new InvalidSettingError('must be NAME=VALUE, NAME=VALUE');
      return [name, new Secret(value)];
    }),
  );
}

export const traceSettings = {
  trace_endpoint: defineSetting({
    help: 'OTLP/HTTP endpoint for traces, such as http://127.0.0.1:4318; without it, tracing is off',
    parse: parseTraceEndpoint,
  }),
  trace_headers: defineSetting({
    help: 'Headers for trace_endpoint, as NAME=VALUE, NAME=VALUE',
    isSecret: true,
    parse: parseSecretHeaders,
  }),
  trace_read_ratio: decimalSetting(
    { default: 1, min: 0, max: 1 },
    'Fraction of read-only requests to trace, from 0 to 1; requests that change something are always traced',
  ),
};
