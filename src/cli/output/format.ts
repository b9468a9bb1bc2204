import { styleText } from 'node:util';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { formatDuration, parseWireTime } from '../../sdk/format.ts';
import type { AnyStatus, Severity } from '../../sdk/status-severity.ts';
import { getOperationSeverity, getSeverity } from '../../sdk/status-severity.ts';

export type Style = 'success' | 'error' | 'warning' | 'muted' | 'bold';

const STYLE_FORMATS = {
  success: 'green',
  error: 'red',
  warning: 'yellow',
  muted: 'gray',
  bold: 'bold',
} as const satisfies Record<Style, string>;

export type Colorize = (text: string, style: Style | undefined) => string;

/** Colours only repeat the information of the text. */
export const createColorizer =
  (hasColor: boolean): Colorize =>
  (text, style) =>
    hasColor && style !== undefined && text !== ''
      ? styleText(STYLE_FORMATS[style], text, { validateStream: false })
      : text;

const SEVERITY_STYLES: Readonly<Record<Severity, Style | undefined>> = {
  good: 'success',
  busy: undefined,
  warn: 'warning',
  bad: 'error',
  idle: 'muted',
};

export const getOperationStyle = (...args: Parameters<typeof getOperationSeverity>): Style | undefined =>
  SEVERITY_STYLES[getOperationSeverity(...args)];

export const getStatusStyle = (status: AnyStatus): Style | undefined => SEVERITY_STYLES[getSeverity(status)];

/** Empty without a timestamp. */
export const formatAgo = (timestamp: string | null, nowMs: number): string =>
  timestamp ? `${formatDuration(nowMs - parseWireTime(timestamp))} ago` : '';

/** Text unchanged, other values as JSON. */
export const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const formatOperation = (operation: { readonly kind: OperationKind; readonly cluster: string }): string =>
  sanitizeLine(`${operation.kind} of ${operation.cluster}`);
