import { utcTime as formatUtcTime, parseTimestamp } from '../domain/timestamp.ts';
import type { HostStatus } from '../domain/vocabulary.ts';
import { UNHEALTHY_STATUSES } from '../domain/vocabulary.ts';

export { formatTimestamp as toWireTime, parseTimestamp as parseWireTime } from '../domain/timestamp.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

const formatUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;

/** A duration in at most two units: `45s`, `10m`, `3m 20s`, `2h 5m`, `4d 3h`. */
export function formatDuration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < MINUTE_S) return `${s}s`;
  if (s < HOUR_S) return formatUnits(Math.floor(s / MINUTE_S), 'm', s % MINUTE_S, 's');
  if (s < DAY_S) return formatUnits(Math.floor(s / HOUR_S), 'h', Math.floor((s % HOUR_S) / MINUTE_S), 'm');
  return formatUnits(Math.floor(s / DAY_S), 'd', Math.floor((s % DAY_S) / HOUR_S), 'h');
}

interface BootStatus {
  readonly booted_at?: string | undefined;
  readonly status: HostStatus;
}

/** `up 4d 3h`. Empty if the host does not respond: it may be down, or may have rebooted. */
export function formatUptime({ booted_at, status }: BootStatus, nowMs: number): string {
  if (!booted_at || UNHEALTHY_STATUSES.includes(status)) return '';
  return `up ${formatDuration(nowMs - parseTimestamp(booted_at))}`;
}

/** `2026-11-15 12:00:00 UTC`, the format of server messages; empty without a timestamp. */
export const utcTime = (timestamp: string | null): string => (timestamp ? formatUtcTime(timestamp) : '');

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Formats KiB in the largest unit in which the value is at least one; empty for 0, which means unknown. */
export function formatSize(kib: number): string {
  if (kib === 0) return '';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(kib) / 10));
  const value = kib / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

/** `<` and `>` enclose placeholders such as `<boot id>`. Such a command is for display only. */
const NEEDS_NO_QUOTES = /^[\w@%+=:,./<>-]+$/;

const quoteArgument = (argument: string): string =>
  NEEDS_NO_QUOTES.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

export const formatCommand = (argv: readonly string[]): string => argv.map(quoteArgument).join(' ');

/** Parses words, or a JSON array if arguments contain spaces; `undefined` for invalid JSON. */
export function parseCommand(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return text.split(/\s+/).filter(word => word !== '');
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every(word => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}

export const formatCommandInput = (argv: readonly string[]): string =>
  argv.every(word => /^[^\s[]\S*$/.test(word)) ? argv.join(' ') : JSON.stringify(argv);

/** The default path of sshd for a host key of this type. */
export const getHostKeyPath = (type: string): string =>
  `/etc/ssh/ssh_host_${/ed25519|ecdsa|rsa/.exec(type)?.[0] ?? 'ed25519'}_key.pub`;
