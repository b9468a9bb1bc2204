import { parsePointer } from '../../../src/lib/json.ts';
import { badRequest, patchDoesNotApply } from './api-error.ts';
import type { Fields, Json } from './objects.ts';
import { isFields, isSame } from './objects.ts';

function indexIn(list: readonly Json[], step: string, isInsertion: boolean): number {
  if (isInsertion && step === '-') return list.length;
  const index = /^\d+$/.test(step) ? Number(step) : -1;
  if (index < 0 || index >= list.length + (isInsertion ? 1 : 0)) throw patchDoesNotApply();
  return index;
}

function childOf(parent: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(parent)) return parent[indexIn(parent, step, false)];
  return isFields(parent) ? parent[step] : undefined;
}

/** The object or list that the last step is taken in. */
function parentOf(document: Fields, pointer: string): { parent: Fields | Json[]; step: string } {
  const steps = [...parsePointer(pointer)];
  const step = steps.pop();
  let parent: Json | undefined = document;
  for (const one of steps) parent = childOf(parent, one);
  if (step === undefined || (!isFields(parent) && !Array.isArray(parent))) throw patchDoesNotApply();
  return { parent, step };
}

function add(document: Fields, pointer: string, value: Json): void {
  const { parent, step } = parentOf(document, pointer);
  if (Array.isArray(parent)) parent.splice(indexIn(parent, step, true), 0, value);
  else parent[step] = value;
}

function remove(document: Fields, pointer: string): Json {
  const { parent, step } = parentOf(document, pointer);
  const value = childOf(parent, step);
  if (value === undefined) throw patchDoesNotApply();
  if (Array.isArray(parent)) parent.splice(indexIn(parent, step, false), 1);
  else delete parent[step];
  return value;
}

function read(document: Fields, pointer: string): Json | undefined {
  const { parent, step } = parentOf(document, pointer);
  return childOf(parent, step);
}

function replace(document: Fields, pointer: string, value: Json): void {
  const { parent, step } = parentOf(document, pointer);
  // A field that is not there is made, against the RFC, as in the library that kube-apiserver uses.
  if (Array.isArray(parent)) parent[indexIn(parent, step, false)] = value;
  else parent[step] = value;
}

function apply(document: Fields, operation: Fields): void {
  const { op, path, from, value = null } = operation;
  if (typeof path !== 'string') throw patchDoesNotApply();
  const origin = typeof from === 'string' ? from : '';
  if (op === 'add') add(document, path, value);
  else if (op === 'remove') remove(document, path);
  else if (op === 'replace') replace(document, path, value);
  else if (op === 'move') add(document, path, remove(document, origin));
  else if (op === 'copy') add(document, path, structuredClone(read(document, origin) ?? null));
  // What is not there is null for a test; that is of the library too.
  else if (op !== 'test' || !isSame(read(document, path) ?? null, value)) throw patchDoesNotApply();
}

/** RFC 6902. */
export function jsonPatch(document: Fields, patch: Json | undefined): Fields {
  if (!Array.isArray(patch)) {
    throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  }
  const patched = structuredClone(document);
  for (const operation of patch) {
    if (!isFields(operation)) throw patchDoesNotApply();
    apply(patched, operation);
  }
  return patched;
}
