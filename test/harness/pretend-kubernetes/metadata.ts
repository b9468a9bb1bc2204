// Rules that hold for the metadata of everything: apimachinery/pkg/api/validation/objectmeta.go.

import { randomInt } from 'node:crypto';
import type { FieldError } from './invalid.ts';
import { invalidValue, missingValue } from './invalid.ts';
import type { KubeObject, Metadata } from './objects.ts';
import type { Resource } from './resources.ts';

const PART = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${PART}(\\.${PART})*$`);
const SUBDOMAIN_ERROR = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${PART}(\\.${PART})*')`;
const KEY = new RegExp(`^(${PART}(\\.${PART})*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`);
const KEY_ERROR = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;
const LABEL_VALUE_ERROR = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

export const generatedName = (prefix: string): string =>
  prefix.slice(0, 58) +
  Array.from({ length: 5 }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('');

function mapErrors(metadata: Metadata, field: 'labels' | 'annotations'): FieldError[] {
  return Object.entries(metadata[field] ?? {}).flatMap(([key, value]) => [
    // Keys of annotations are compared in lower case.
    ...(KEY.test(field === 'annotations' ? key.toLowerCase() : key)
      ? []
      : [invalidValue(`metadata.${field}`, key, KEY_ERROR)]),
    ...(field === 'annotations' || LABEL_VALUE.test(value)
      ? []
      : [invalidValue(`metadata.${field}`, value, LABEL_VALUE_ERROR)]),
  ]);
}

export function metadataErrors({ metadata }: KubeObject, { kind }: Resource): FieldError[] {
  const { name } = metadata;
  const isNameless = name === '';
  const isFine = kind === 'CertificateSigningRequest' ? !/[/%]/.test(name) : SUBDOMAIN.test(name);
  return [
    ...(isNameless ? [missingValue('metadata.name', 'name or generateName is required')] : []),
    ...(isNameless || isFine ? [] : [invalidValue('metadata.name', name, SUBDOMAIN_ERROR)]),
    ...mapErrors(metadata, 'labels'),
    ...mapErrors(metadata, 'annotations'),
  ];
}
