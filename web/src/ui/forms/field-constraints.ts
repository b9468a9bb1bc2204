import { useState } from 'react';

type FieldErrorTexts = Readonly<Record<string, string>>;

/** The parts of a form control that the rules below read. */
export interface ConstrainedControl {
  readonly name: string;
  /** Of an input, such as `number`; `select-one` or `textarea`. */
  readonly type: string;
  readonly value: string;
  readonly validity: Partial<ValidityState>;
  readonly validationMessage: string;
  readonly required?: boolean;
  readonly min?: string;
  readonly max?: string;
  readonly labels?: Iterable<{ readonly textContent: string | null }> | null;
}

/**
 * `Name` becomes `the name`. `URL` and `SSH user` keep their capitals. The name of an option such as `server_url` has no
 * article. Text in parentheses is not part of the name.
 */
function fieldName({ labels }: ConstrainedControl): string {
  const [label] = labels ?? [];
  const text = (label?.textContent ?? '').replace(/ \([^(]*\)$/, '');
  if (text.includes('_')) return text;
  return `the ${/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text || 'value'}`;
}

function formatRange({ min = '', max = '' }: ConstrainedControl): string {
  if (min === '' && max === '') return 'Enter a number.';
  if (max === '') return `Enter a number of at least ${min}.`;
  return min === '' ? `Enter a number of at most ${max}.` : `Enter a number from ${min} to ${max}.`;
}

const SELECTED_TYPES = ['select-one', 'file'];
/** A value of spaces in these counts as missing. */
const TEXT_TYPES = ['text', 'textarea', 'url'];

const isMissing = ({ type, value, validity, required = false }: ConstrainedControl): boolean =>
  validity.valueMissing === true || (required && TEXT_TYPES.includes(type) && value.trim() === '');

/** Undefined if the value is valid. */
function constraintError(control: ConstrainedControl): string | undefined {
  const { type, validity, validationMessage } = control;
  if (validity.badInput && type === 'number') return formatRange(control);
  if (isMissing(control)) return `${SELECTED_TYPES.includes(type) ? 'Select' : 'Enter'} ${fieldName(control)}.`;
  if (validity.rangeUnderflow || validity.rangeOverflow) return formatRange(control);
  if (validity.stepMismatch) return 'Enter a whole number.';
  if (validity.typeMismatch && type === 'url') return 'Enter a complete URL, such as https://example.com.';
  return validity.valid === false ? validationMessage : undefined;
}

/** Errors by field name. Controls without a name have no place for an error, so they must have no constraints. */
export const constraintErrors = (controls: Iterable<ConstrainedControl>): FieldErrorTexts =>
  Object.fromEntries(
    [...controls].flatMap(control => {
      const error = control.name === '' ? undefined : constraintError(control);
      return error === undefined ? [] : [[control.name, error] as const];
    }),
  );

const NO_ERRORS: FieldErrorTexts = {};

const isControl = (element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

const readConstraintErrors = (form: HTMLFormElement): FieldErrorTexts =>
  constraintErrors([...form.elements].filter(isControl));

/** A form shows the errors of constraints such as `required` itself, because the browser shows only one, in its words. */
export function useConstraintErrors() {
  const [errors, setErrors] = useState(NO_ERRORS);
  return {
    errors,
    /** For each submit. */
    validate: (form: HTMLFormElement): FieldErrorTexts => {
      const found = readConstraintErrors(form);
      setErrors(found);
      return found;
    },
    /** For each input: removes the errors that the user has fixed. */
    revalidate: (form: HTMLFormElement): void => {
      if (Object.keys(errors).length === 0) return;
      const found = readConstraintErrors(form);
      setErrors(Object.fromEntries(Object.entries(found).filter(([name]) => name in errors)));
    },
  };
}
