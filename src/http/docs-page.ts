// Renders the page at /docs from the OpenAPI document and the problem catalog: HTML without scripts.

import { createHash } from 'node:crypto';
import type { buildInlineDocument } from '../contract/openapi.ts';
import { PROBLEM_CATALOG } from './errors/problem-catalog.ts';

type Document = ReturnType<typeof buildInlineDocument>;
type Operation = Document['paths'][string][string];

const toHtml = (text: string) =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --blue: #2563eb; --green: #15803d; --red: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --blue: #7aa7ff; --green: #5fcf80; --red: #ff8a80; } }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 6rem; }
h1 { margin: 0; font-size: 2rem; } h2 { margin: 3rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
nav a { margin-right: .75rem; white-space: nowrap; } a { color: inherit; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .55rem .8rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary code { font-size: .95rem; overflow-wrap: anywhere; } summary span { opacity: .75; margin-left: auto; }
.method { font: 700 .8rem/1 ui-monospace, monospace; min-width: 3.6rem; } .GET { color: var(--blue); } .PUT { color: var(--green); } .DELETE { color: var(--red); }
.inside { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
code { font-family: ui-monospace, monospace; background: var(--soft); border-radius: .25rem; padding: .05em .3em; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } td, th { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
td code { overflow-wrap: anywhere; } td:first-child { min-width: 5.5rem; }
th { font-weight: 600; opacity: .75; } h4 { margin: 1rem 0 .2rem; }
@media (max-width: 40rem) { body { padding-inline: .75rem; } table { font-size: .8rem; } td, th { padding-right: .4rem; } }
`;

/** The icon of the dashboard, which may not be built. Without an icon, browsers request `/favicon.ico`. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Hostler</title><rect width="32" height="32" rx="7" fill="#0c1512"/>' +
  '<g fill="#3fcf8e"><rect x="7" y="7" width="5" height="18" rx="1.5"/><rect x="20" y="7" width="5" height="18" rx="1.5"/>' +
  '<rect x="12" y="13.5" width="8" height="5" fill="#f5b44a"/></g></svg>';
const ICON_URL = `data:image/svg+xml,${encodeURIComponent(ICON)}`;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly rule?: string;
}

function describeType(schema: Schema): string {
  if (schema.enum) return schema.enum.map(value => `\`${JSON.stringify(value)}\``).join(' ');
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ');
  if (schema.items) return `list of ${describeType(schema.items)}`;
  return schema.type ?? 'any';
}

const row = (cells: readonly string[], tag = 'td') =>
  `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const table = (headings: readonly string[], rows: readonly string[]) =>
  rows.length === 0 ? '' : `<table>${row(headings, 'th')}${rows.join('')}</table>`;

const describeSchema = (schema: Schema) => toHtml([schema.description, schema.rule].filter(Boolean).join(' — '));

/** Fields of nested objects are prefixed `name.`, fields of list items `name[].`. */
function fieldRows(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    row([
      `<code>${toHtml(prefix + name)}</code>`,
      toHtml(describeType(field)),
      schema.required?.includes(name) ? 'yes' : '',
      describeSchema(field),
    ]),
    ...(field.items ? fieldRows(field.items, `${prefix}${name}[].`) : fieldRows(field, `${prefix}${name}.`)),
  ]);
}

function schemaSection(title: string, schema: Schema | undefined): string {
  if (schema === undefined) return '';
  if (schema.anyOf?.some(variant => variant.properties))
    return schema.anyOf.map((variant, index) => schemaSection(index === 0 ? title : 'Or', variant)).join('');
  const inner = schema.items?.properties ? schema.items : schema;
  const kind = inner === schema ? describeType(schema) : 'list of objects';
  return `<h4>${title}: ${toHtml(kind)}</h4>${describeSchema(schema)}${table(['field', 'type', 'required', ''], fieldRows(inner))}`;
}

/** Overrides the description of the schema. */
const parameterDescription = (parameter: object): Pick<Schema, 'description'> =>
  'description' in parameter ? { description: String(parameter.description) } : {};

const firstSchema = (content: unknown): Schema | undefined => {
  const [media] = Object.values((content ?? {}) as Record<string, { schema: Schema }>);
  return media?.schema;
};

function operationSection(path: string, method: string, operation: Operation): string {
  const responses = Object.entries(operation.responses as Record<string, { description: string; content: unknown }>);
  const success = responses.find(([status]) => status.startsWith('2'))?.[1];
  const parameters = operation.parameters.map(parameter =>
    row([
      `<code>${toHtml(parameter.name ?? '')}</code>`,
      parameter.in,
      parameter.required ? 'yes' : '',
      describeSchema({ ...(parameter.schema as Schema), ...parameterDescription(parameter) }),
    ]),
  );
  const statuses = responses.map(([status, { description }]) => row([`<code>${status}</code>`, toHtml(description)]));
  return `<details id="${toHtml(operation.operationId)}"><summary><b class="method ${method}">${method}</b><code>${toHtml(path)}</code>
<span>${toHtml(operation.summary)}</span></summary><div class="inside"><p>${toHtml(operation.description)}</p>
${table(['parameter', 'in', 'required', ''], parameters)}
${schemaSection('Body', firstSchema(operation.requestBody?.content))}
${schemaSection('Response', firstSchema(success?.content))}
<h4>Statuses</h4>${table(['status', ''], statuses)}</div></details>`;
}

/** HTML IDs cannot contain spaces. */
const toAnchor = (tag: string) => tag.replaceAll(' ', '-');

function tagSections(document: Document): { tags: string[]; sections: string } {
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'Other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationSection(path, method.toUpperCase(), operation)]);
    }
  }
  const descriptions = new Map(document.tags.map(({ name, description }) => [name, description]));
  const sections = [...byTag]
    .map(
      ([tag, operations]) =>
        `<h2 id="${toAnchor(tag)}">${tag}</h2><p>${toHtml(descriptions.get(tag) ?? '')}</p>${operations.join('')}`,
    )
    .join('');
  return { tags: [...byTag.keys()], sections };
}

export function renderDocsPage(document: Document): { html: string; contentSecurityPolicy: string } {
  const { tags, sections } = tagSections(document);
  const errors = Object.entries(PROBLEM_CATALOG).map(
    ([code, { status, summary, cause, action }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${toHtml(`${summary} ${cause}`)}</td><td>${toHtml(action)}</td></tr>`,
  );
  const links = [...tags, 'Errors'].map(tag => `<a href="#${toAnchor(tag)}">${tag}</a>`).join(' ');
  const digest = createHash('sha256').update(STYLE).digest('base64');
  return {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hostler ${toHtml(document.info.version)}</title><link rel="icon" href="${toHtml(ICON_URL)}"><style>${STYLE}</style>
<h1>Hostler</h1><p>${toHtml(document.info.description)} Version ${toHtml(document.info.version)}.
The OpenAPI document is <a href="/openapi.json">openapi.json</a>.</p>
<p>Requests need HTTP Basic credentials unless the endpoint says otherwise. Bodies are JSON. Errors are
<code>application/problem+json</code> with a stable <code>code</code>.</p><nav>${links}</nav>${sections}
<h2 id="Errors">Errors</h2>${table(['code', 'status', 'meaning and cause', 'what to do'], errors)}</html>`,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; frame-ancestors 'none'; base-uri 'none'`,
  };
}
