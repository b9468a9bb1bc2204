import { describe, expect, test } from 'vitest';
import type { ConstrainedControl } from './field-constraints.ts';
import { constraintErrors } from './field-constraints.ts';

const control = (label: string, fields: Partial<ConstrainedControl>): ConstrainedControl => ({
  ...{ name: 'field', type: 'text', value: 'x', validity: { valid: true }, validationMessage: 'Invalid.' },
  ...{ labels: [{ textContent: label }] },
  ...fields,
});

const missing = { value: '', required: true, validity: { valid: false, valueMissing: true } };
const invalid = (flag: keyof ValidityState) => ({ valid: false, [flag]: true });

describe('constraintErrors', () => {
  test.each<[string, ConstrainedControl, string | undefined]>([
    ['a valid value', control('Name', {}), undefined],
    ['a missing text', control('Name', missing), 'Enter the name.'],
    ['a missing text of spaces', control('Name', { value: '  ', required: true }), 'Enter the name.'],
    ['a label with capitals', control('URL', missing), 'Enter the URL.'],
    ['the name of an option', control('server_url (required)', missing), 'Enter server_url.'],
    ['a label with a remark', control('server (required)', missing), 'Enter the server.'],
    ['a missing choice', control('Cluster', { ...missing, type: 'select-one' }), 'Select the cluster.'],
    ['a missing file', control('Private key', { ...missing, type: 'file' }), 'Select the private key.'],
    [
      'a number out of range',
      control('Port', { type: 'number', min: '1', max: '65535', validity: invalid('rangeOverflow') }),
      'Enter a number from 1 to 65535.',
    ],
    [
      'a number below the minimum',
      control('Maximum hosts', { type: 'number', min: '1', validity: invalid('rangeUnderflow') }),
      'Enter a number of at least 1.',
    ],
    [
      'a text that is no number',
      control('Port', { type: 'number', value: '', required: true, validity: invalid('badInput') }),
      'Enter a number.',
    ],
    ['a fraction', control('Port', { type: 'number', validity: invalid('stepMismatch') }), 'Enter a whole number.'],
    [
      'an incomplete URL',
      control('URL', { type: 'url', validity: invalid('typeMismatch') }),
      'Enter a complete URL, such as https://example.com.',
    ],
    ['another constraint', control('Name', { validity: invalid('patternMismatch') }), 'Invalid.'],
    ['a control without a name', control('Name', { ...missing, name: '' }), undefined],
  ])('explains %s', (_title, value, error) => {
    expect(constraintErrors([value])).toEqual(error === undefined ? {} : { field: error });
  });
});
