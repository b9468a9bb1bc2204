import { randomUUID } from 'node:crypto';
import { ApiError, alreadyExists, notFound } from './api-error.ts';
import { checkBodyType, decodedBody, settleNamespace } from './body.ts';
import type { Answer, Call, Cluster } from './cluster.ts';
import { invalid } from './invalid.ts';
import { generatedName } from './metadata.ts';
import { textAt, timeText } from './objects.ts';
import { shown } from './read.ts';
import { kindName, NAMESPACES, resourceName } from './resources.ts';
import { creationErrors, prepareCreation } from './strategies.ts';
import { tidy } from './tidy.ts';

export function create(cluster: Cluster, call: Call): Answer {
  const { target } = call;
  const { store, clock } = cluster;
  checkBodyType(call);
  const object = decodedBody(call.body, target);
  settleNamespace(object, target);
  const isHomeless = target.resource.isNamespaced && !store.get(NAMESPACES, '', target.namespace);
  if (isHomeless) throw notFound(resourceName(NAMESPACES), target.namespace);
  prepareCreation(object, call);
  const prefix = textAt(object, 'metadata', 'generateName');
  const { metadata } = object;
  if (metadata.name === '' && prefix !== '') metadata.name = generatedName(prefix);
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  Object.assign(metadata, { uid: randomUUID(), creationTimestamp: timeText(clock.now()) });
  const errors = creationErrors(object, target.resource);
  if (errors.length > 0) throw invalid(kindName(target.resource), metadata.name, errors);
  if (metadata.resourceVersion !== '') {
    throw new ApiError({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  }
  const known = store.get(target.resource, target.namespace, metadata.name);
  if (known !== undefined) {
    const isBeingDeleted = known.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(resourceName(target.resource), metadata.name, isBeingDeleted);
  }
  return { code: 201, body: shown(store.write(target.resource, tidy(object)), target) };
}
