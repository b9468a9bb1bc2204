import type { Problem } from '../contract/problem.ts';

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const areTexts = (value: unknown, ...names: readonly (keyof Problem | 'path' | 'message')[]) =>
  names.every(name => typeof fieldOf(value, name) === 'string');

/** Whether a problem document is one of the service: other programs have some, too, with other fields in them. */
export function isOurProblem(told: unknown): told is Problem {
  const errors = fieldOf(told, 'errors');
  if (!areTexts(told, 'detail', 'code', 'request_id')) return false;
  return (
    errors === undefined || (Array.isArray(errors) && errors.every(each => areTexts(each, 'path', 'message')))
  );
}
