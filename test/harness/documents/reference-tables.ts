import { STATUS_CODES } from 'node:http';
import { EVENT_PAYLOADS } from '../../../src/contract/event-payloads.ts';
import type { StatusTrigger } from '../../../src/domain/hosts/host-status.ts';
import { nextStatus, STATUS_TRIGGERS } from '../../../src/domain/hosts/host-status.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { HostStatus } from '../../../src/domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../src/domain/vocabulary.ts';
import { hostSourceDrivers } from '../../../src/drivers/host-source/index.ts';
import { PROBLEM_CATALOG } from '../../../src/http/errors/problem-catalog.ts';
import { settingKeys, settings } from '../../../src/server/configuration/settings.ts';
import type { Metric } from '../../../src/server/metrics/metric.ts';
import { METRIC_CATALOG } from '../../../src/server/metrics/metrics-service.ts';
import { code, table } from './markdown.ts';

const getStatus = ([, { status }]: (typeof catalogEntries)[number]) => status;
const catalogEntries = Object.entries(PROBLEM_CATALOG);

const toCells = ([name, { summary, cause, action, docs }]: (typeof catalogEntries)[number]) => [
  code(name),
  `${summary} ${cause}`,
  `${action}${docs ? ` [More](../${docs})` : ''}`,
];

/** A table for each status with several codes, and one for all others. */
export const errorsSections = () => {
  const groups = [...Map.groupBy(catalogEntries, getStatus)].sort(([a], [b]) => a - b);
  const sections = groups
    .filter(([, same]) => same.length > 1)
    .map(
      ([status, same]) =>
        `### ${status} ${STATUS_CODES[status]}\n\n${table(['Code', 'Meaning and cause', 'What to do'], same.map(toCells))}`,
    );
  const others = groups
    .filter(([, same]) => same.length === 1)
    .flatMap(([status, same]) => same.map(entry => [String(status), ...toCells(entry)]));
  return [
    ...sections,
    `### Other statuses\n\n${table(['Status', 'Code', 'Meaning and cause', 'What to do'], others)}`,
  ].join('\n\n');
};

function labelsCell({ labels }: Metric): string {
  const cells = Object.entries(labels).map(([label, values]) => {
    const meaning = 'description' in values ? values.description : values.map(code).join(', ');
    return `${code(label)}: ${meaning}`;
  });
  return cells.join('; ');
}

/** One table; a row with only a title starts each group. */
export const metricsTables = () =>
  table(
    ['metric', 'kind', 'of the', 'meaning', 'labels'],
    Object.entries(METRIC_CATALOG).flatMap(([group, metrics]) => [
      [`**${group}**`, '', '', '', ''],
      ...metrics.map(metric => [code(metric.name), metric.kind, metric.scope, metric.help, labelsCell(metric)]),
    ]),
  );

const descriptionOf = (schema: object) => ('description' in schema ? String(schema.description) : '');

const fieldCell = (name: string, schema: object) => {
  const text = descriptionOf(schema).replace(/\.$/, '');
  return text ? `${code(name)} (${text.charAt(0).toLowerCase()}${text.slice(1)})` : code(name);
};

/** Table of docs/reference/events.md. */
export const eventsTable = () =>
  table(
    ['Type', '`data`', 'Meaning'],
    Object.entries(EVENT_PAYLOADS).map(([type, schema]) => [
      code(type),
      Object.entries(schema.properties)
        .map(([name, field]) => fieldCell(name, field))
        .join(', '),
      descriptionOf(schema),
    ]),
  );

// Tables of docs/reference/configuration.md and docs/guides/host-sources.md.

export const settingsTable = () =>
  table(
    ['Setting', 'Default', 'Meaning'],
    settingKeys.map(key => {
      const { help, default: defaultValue, isSecret } = settings[key];
      return [
        code(key),
        defaultValue === undefined ? 'none' : code(defaultValue),
        `${help}.${isSecret ? ' Secret: there is no flag.' : ''}`,
      ];
    }),
  );

interface OptionSchema {
  readonly description?: string;
  readonly items?: OptionSchema;
}

export const sourcesTable = () =>
  table(
    ['type', 'option', 'required', 'meaning'],
    hostSourceDrivers.flatMap(({ type, options }) =>
      Object.entries<OptionSchema>(options.properties).map(([option, { description, items }]) => [
        code(type),
        code(option),
        options.required?.includes(option) ? 'yes' : '',
        description ?? items?.description ?? '',
      ]),
    ),
  );

// Table of docs/concepts/host-lifecycle.md.

const triggers = Object.keys(STATUS_TRIGGERS) as StatusTrigger[];
const NOT_A_MEMBER = { cluster: null, containerManager: null, registeredWith: null };
const A_MEMBER = { ...NOT_A_MEMBER, cluster: toRecordName('web') };

/** Next statuses for members and non-members. */
const nextStatuses = (status: HostStatus, trigger: StatusTrigger): readonly HostStatus[] => [
  ...new Set([A_MEMBER, NOT_A_MEMBER].map(settlement => nextStatus(status, trigger, settlement))),
];

function nextCell(status: HostStatus, trigger: StatusTrigger): string {
  const next = nextStatuses(status, trigger);
  return next.length === 1 && next[0] === status ? '–' : next.map(code).join(' or ');
}

export const transitionsTable = () =>
  table(
    ['Cause', ...HOST_STATUSES.map(code)],
    triggers.map(trigger => [STATUS_TRIGGERS[trigger], ...HOST_STATUSES.map(status => nextCell(status, trigger))]),
  );
