// Prints the output of commands: tables for people, API records for scripts.

import { escapeInvisible, escapeInvisibleJson, MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Colorize, Style } from './format.ts';
import { createColorizer } from './format.ts';
import type { Column } from './table.ts';
import { renderTable } from './table.ts';

export const FORMATS = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type Format = (typeof FORMATS)[number];

export interface ListOutput<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly getName: (row: Row) => string;
  /**
   * Printed instead of an empty table, for example "No clusters found. Create one with: hostler cluster
   * create NAME".
   */
  readonly emptyMessage: string;
}

/** A field with an empty text is omitted. */
export interface Field {
  readonly label: string;
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface RecordOutput {
  /** The response of the server. */
  readonly value: unknown;
  readonly name: string;
  readonly fields: readonly Field[];
  /** Printed below the fields. */
  readonly details?: string;
}

/** YAML has no portable escape for invisible characters. */
const replaceInvisible = (text: string) => escapeInvisible(text, () => '\uFFFD');

export class Printer {
  readonly format: Format;
  readonly colorize: Colorize;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, format: Format) {
    this.#terminal = terminal;
    this.format = format;
    this.colorize = createColorizer(terminal.hasColor);
  }

  get isHumanReadable(): boolean {
    return this.format === 'table' || this.format === 'wide';
  }

  async printList<Row>({ rows, columns, getName, emptyMessage }: ListOutput<Row>): Promise<void> {
    if (!this.isHumanReadable) await this.#printStructured(rows, rows.map(getName));
    else if (rows.length === 0) this.#terminal.writeErr(`${emptyMessage}\n`);
    else this.#terminal.writeOut(this.formatTable(rows, columns));
  }

  async printRecord({ value, name, fields, details = '' }: RecordOutput): Promise<void> {
    if (!this.isHumanReadable) {
      await this.#printStructured(value, [name]);
      return;
    }
    const visible = fields.filter(({ text }) => text !== '');
    const width = Math.max(0, ...visible.map(({ label }) => label.length)) + 2;
    const lines = visible.map(
      ({ label, text, style }) =>
        `${this.colorize(`${label}:`.padEnd(width), 'muted')}${this.colorize(sanitizeLine(text, MAX_MESSAGE_LENGTH), style)}\n`,
    );
    this.#terminal.writeOut(`${lines.join('')}${details === '' ? '' : `\n${details}`}`);
  }

  /** Prints a message for people, or the response for programs. */
  async printResult(message: string, { value, name }: { readonly value: unknown; readonly name: string }) {
    if (this.isHumanReadable) this.#terminal.writeOut(`${message}\n`);
    else await this.#printStructured(value, [name]);
  }

  /** Prints several responses for programs. */
  async printResults(results: readonly { readonly value: unknown; readonly name: string }[]): Promise<void> {
    await this.#printStructured(
      results.map(({ value }) => value),
      results.map(({ name }) => name),
    );
  }

  /** Prints output that is always for programs, in JSON by default. */
  async printRaw(value: unknown, names: readonly string[]): Promise<void> {
    await this.#printStructured(value, names);
  }

  formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
    const { isStdoutTty, columns: width } = this.#terminal;
    const isWide = this.format === 'wide';
    return renderTable(rows, columns, {
      maxWidth: isStdoutTty ? width : undefined,
      ...{ isWide, colorize: this.colorize },
    });
  }

  /** Prints one value of a stream: a line of JSON, or a YAML document. */
  async printStreamItem(value: unknown): Promise<void> {
    if (this.format === 'yaml') this.#writeEscaped(`---\n${(await import('yaml')).stringify(value)}`, replaceInvisible);
    else this.#writeEscaped(`${JSON.stringify(value)}\n`, escapeInvisibleJson);
  }

  /** Escapes control characters, which a terminal would interpret. Programs get the text unchanged. */
  #writeEscaped(text: string, escapeText: (text: string) => string): void {
    this.#terminal.writeOut(this.#terminal.isStdoutTty ? escapeText(text) : text);
  }

  async #printStructured(value: unknown, names: readonly string[]): Promise<void> {
    if (this.format === 'name') this.#writeEscaped(names.map(name => `${name}\n`).join(''), replaceInvisible);
    else if (this.format === 'yaml') this.#writeEscaped((await import('yaml')).stringify(value), replaceInvisible);
    else this.#writeEscaped(`${JSON.stringify(value, null, 2)}\n`, escapeInvisibleJson);
  }
}
