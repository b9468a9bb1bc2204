import type { User } from './accounts.ts';
import { badRequest } from './api-error.ts';
import { isAllowed } from './authorization.ts';
import type { Answer } from './cluster.ts';
import type { Json } from './objects.ts';
import { fieldsAt, isFields, textAt } from './objects.ts';

export const ACCESS_REVIEW_PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Whether the caller may do something, as it asks of itself. Nothing is kept. */
export function reviewAccess(user: User, body: Json | undefined): Answer {
  const spec = fieldsAt(body, 'spec');
  if (!isFields(spec['resourceAttributes']))
    throw badRequest('spec.resourceAttributes is what is answered here');
  const attributes = fieldsAt(spec, 'resourceAttributes');
  const subresource = textAt(attributes, 'subresource');
  const allowed = isAllowed(user, {
    verb: textAt(attributes, 'verb'),
    resource: textAt(attributes, 'resource') + (subresource === '' ? '' : `/${subresource}`),
    namespace: textAt(attributes, 'namespace'),
    name: textAt(attributes, 'name'),
  });
  return {
    code: 201,
    body: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed },
    },
  };
}
