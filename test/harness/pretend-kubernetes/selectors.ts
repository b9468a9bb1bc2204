import { badRequest } from './api-error.ts';
import type { Fields, Json, KubeObject } from './objects.ts';
import { at, fieldsAt, isFields, listAt, textAt } from './objects.ts';
import type { Resource } from './resources.ts';

export type Selector = (object: KubeObject) => boolean;

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

function fits(labels: Fields, key: string, operator: Operator, values: readonly Json[]): boolean {
  const value = labels[key];
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const isListed = value !== undefined && values.includes(value);
  return operator === 'In' ? isListed : !isListed;
}

const labelsOf = (object: KubeObject) => fieldsAt(object, 'metadata', 'labels');

/** The forms of one requirement: a in (x,y), a notin (x,y), a=b, a==b, a!=b, a, !a. */
function requirementOf(text: string): Selector {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set) {
    const [, key = '', operator, values = ''] = set;
    const listed = values.split(',').map(value => value.trim());
    return object => fits(labelsOf(object), key, operator === 'in' ? 'In' : 'NotIn', listed);
  }
  const equality = /^([^!=\s]+)\s*(==?|!=)\s*([^!=\s]*)$/.exec(text);
  if (equality) {
    const [, key = '', operator, value = ''] = equality;
    return object => fits(labelsOf(object), key, operator === '!=' ? 'NotIn' : 'In', [value]);
  }
  const presence = /^(!?)\s*([^!=\s()]+)$/.exec(text);
  if (!presence) throw badRequest(`unable to parse requirement: found '${text}', expected: a label selector`);
  const [, not, key = ''] = presence;
  return object => fits(labelsOf(object), key, not === '!' ? 'DoesNotExist' : 'Exists', []);
}

export function labelSelector(text: string): Selector {
  // Commas inside of brackets belong to a set.
  const parts = text.split(/,(?![^(]*\))/).map(part => part.trim());
  const requirements = text.trim() === '' ? [] : parts.map(requirementOf);
  return object => requirements.every(requirement => requirement(object));
}

function selectableOf({ isNamespaced, selectable = [] }: Resource, field: string): readonly string[] {
  const known = ['metadata.name', ...(isNamespaced ? ['metadata.namespace'] : []), ...selectable];
  if (known.includes(field)) return field.split('.');
  throw badRequest(
    selectable.length === 0
      ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
      : `field label not supported: ${field}`,
  );
}

/** A flag that is not set counts as one that is off. */
const textOf = (value: Json | undefined, field: string) =>
  value === undefined ? (field === 'spec.unschedulable' ? 'false' : '') : String(value);

export function fieldSelector(text: string, resource: Resource): Selector {
  const terms = text.split(',').filter(term => term !== '');
  const requirements = terms.map(term => {
    const [, field = '', operator = '', value = ''] = /^([^!=]+)(==?|!=)(.*)$/.exec(term) ?? [];
    if (field === '') throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const path = selectableOf(resource, field);
    return (object: KubeObject) => (textOf(at(object, ...path), field) === value) === (operator !== '!=');
  });
  return object => requirements.every(requirement => requirement(object));
}

const OPERATORS: readonly Operator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** As it stands in a disruption budget. undefined: it selects nothing in particular. */
export function objectSelector(selector: Fields): Selector | undefined {
  const equalities = Object.entries(fieldsAt(selector, 'matchLabels'));
  const expressions = listAt(selector, 'matchExpressions').filter(isFields);
  if (equalities.length + expressions.length === 0) return undefined;
  return object => {
    const labels = labelsOf(object);
    return (
      equalities.every(([key, value]) => labels[key] === value) &&
      expressions.every(expression => {
        const operator = OPERATORS.find(one => one === expression['operator']);
        if (operator === undefined) return false;
        return fits(labels, textAt(expression, 'key'), operator, listAt(expression, 'values'));
      })
    );
  };
}
