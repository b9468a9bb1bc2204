// Prints the output of commands: tables for people, API records for scripts.

import { escapeInvisible, escapeInvisibleJson, MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { failedError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Colorize, Style } from './format.ts';
import { createColorizer } from './format.ts';
import type { OutputFormat } from './output-options.ts';
import { sortRows } from './sort.ts';
import type { Column } from './table.ts';
import { renderTable } from './table.ts';

interface ListOutput<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly getName: (row: Row) => string;
  /** Printed instead of an empty table. */
  readonly emptyMessage: string;
}

/** A field with an empty text is omitted. */
export type Field = readonly [label: string, text: string, style?: Style | undefined];

interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly problems: readonly string[];
}

/** YAML has no portable escape for invisible characters. */
const replaceInvisible = (text: string) => escapeInvisible(text, () => '\uFFFD');

export class Printer {
  readonly format: OutputFormat['name'];
  readonly colorize: Colorize;
  readonly #terminal: Terminal;

  readonly #output: OutputFormat;
  readonly #sort: string | undefined;

  /** `sort` is the name of a column, for lists. */
  constructor(terminal: Terminal, output: OutputFormat, sort?: string) {
    this.#terminal = terminal;
    this.#output = output;
    this.#sort = sort;
    this.format = output.name;
    this.colorize = createColorizer(terminal.hasColor);
  }

  get isHumanReadable(): boolean {
    return this.format === 'table' || this.format === 'wide';
  }

  async printList<Row>({ rows: unsorted, columns, getName, emptyMessage }: ListOutput<Row>): Promise<void> {
    const rows = this.#sort === undefined ? unsorted : sortRows(unsorted, columns, this.#sort);
    if (!this.isHumanReadable) await this.printStructured(rows, rows.map(getName));
    else if (rows.length === 0) this.#terminal.writeErr(`${emptyMessage}\n`);
    else this.#terminal.writeOut(this.formatTable(rows, columns));
  }

  /** Prints the fields and the details below them for people, or the response for programs. */
  async printRecord(value: unknown, name: string, fields: readonly Field[], details = ''): Promise<void> {
    if (!this.isHumanReadable) return this.printStructured(value, [name]);
    const visible = fields.filter(([, text]) => text !== '');
    const width = Math.max(0, ...visible.map(([label]) => label.length)) + 2;
    const lines = visible.map(([label, text, style]) => {
      const coloredText = this.colorize(sanitizeLine(text, MAX_MESSAGE_LENGTH), style);
      return `${this.colorize(`${label}:`.padEnd(width), 'muted')}${coloredText}\n`;
    });
    this.#terminal.writeOut(`${lines.join('')}${details === '' ? '' : `\n${details}`}`);
  }

  async printResult(message: string, value: unknown, name: string): Promise<void> {
    if (this.isHumanReadable) this.#terminal.writeOut(`${message}\n`);
    else await this.printStructured(value, [name]);
  }

  /** Prints the result of a connection check or a test delivery. Throws if it found problems. */
  async printCheckResult(value: CheckResult, label: string, note: string): Promise<void> {
    const { ok, name, problems } = value;
    const suffix = note === '' ? '' : ` (${sanitizeLine(note)})`;
    if (ok || !this.isHumanReadable) await this.printResult(`${label} passed${suffix}`, value, name);
    if (ok) return;
    const reasons = problems.map(problem => `\n  ${sanitizeLine(problem, MAX_MESSAGE_LENGTH)}`).join('');
    throw failedError(`${label} failed:${reasons}`);
  }

  /** The same output on another terminal. */
  withTerminal(terminal: Terminal): Printer {
    return new Printer(terminal, this.#output, this.#sort);
  }

  /** Prints output for programs, in JSON by default. */
  async printStructured(value: unknown, names: readonly string[]): Promise<void> {
    if (this.#output.name === 'jsonpath') this.#printSelected(this.#output.select(value));
    else if (this.format === 'name') this.#writeEscaped(names.map(name => `${name}\n`).join(''), replaceInvisible);
    else if (this.format === 'yaml') this.#writeEscaped((await import('yaml')).stringify(value), replaceInvisible);
    else this.#writeEscaped(`${JSON.stringify(value, null, 2)}\n`, escapeInvisibleJson);
  }

  formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
    const { isStdoutTty, columns: width } = this.#terminal;
    const maxWidth = isStdoutTty ? width : undefined;
    return renderTable(rows, columns, { maxWidth, isWide: this.format === 'wide', colorize: this.colorize });
  }

  /** Prints one value of a stream: a line of JSON, or a YAML document. */
  async printStreamItem(value: unknown): Promise<void> {
    if (this.#output.name === 'jsonpath') this.#printSelected(this.#output.select(value));
    else if (this.format === 'yaml')
      this.#writeEscaped(`---\n${(await import('yaml')).stringify(value)}`, replaceInvisible);
    else this.#writeEscaped(`${JSON.stringify(value)}\n`, escapeInvisibleJson);
  }

  /** One value per line; texts without quotes. */
  #printSelected(values: readonly unknown[]): void {
    const lines = values.map(value => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    this.#writeEscaped(lines.join(''), escapeInvisibleJson);
  }

  /** Escapes control characters, which a terminal would interpret. Programs get the text unchanged. */
  #writeEscaped(text: string, escapeText: (text: string) => string): void {
    this.#terminal.writeOut(this.#terminal.isStdoutTty ? escapeText(text) : text);
  }
}
