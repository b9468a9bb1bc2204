import Type from 'typebox';
import { reading } from '../reading.ts';
import type { ApiServer } from './api-server.ts';

/** Something that a caller may be allowed to do. */
export interface Right {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'approve';
  /** '': the first group, without a name. */
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  /** Of the only one that is meant. */
  readonly name?: string;
}

const readReview = reading(
  'an access review',
  Type.Object({ status: Type.Object({ allowed: Type.Boolean() }) }),
);

/** As it is told to people: `create secrets in kube-system`. */
export const rightName = ({ verb, resource, subresource, namespace, name }: Right): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;

/** Asks the server whether we may. */
export async function mayDo(server: ApiServer, right: Right): Promise<boolean> {
  const { body } = await server.ask({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { resourceAttributes: right },
    },
    what: 'review access',
  });
  return readReview(body).status.allowed;
}
