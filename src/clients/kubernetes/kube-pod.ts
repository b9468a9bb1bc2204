import type { Static } from 'typebox';
import Type from 'typebox';
import { harmless } from '../../lib/text/harmless.ts';

const texts = Type.Record(Type.String(), Type.String());

/** Of a Pod of the API, what is looked at here. */
export const podSchema = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    namespace: Type.String(),
    uid: Type.String(),
    annotations: Type.Optional(texts),
    deletionTimestamp: Type.Optional(Type.String()),
    ownerReferences: Type.Optional(
      Type.Array(Type.Object({ kind: Type.String(), controller: Type.Optional(Type.Boolean()) })),
    ),
  }),
  status: Type.Optional(Type.Object({ phase: Type.Optional(Type.String()) })),
});

export interface KubePod {
  readonly namespace: string;
  readonly name: string;
  /** Another one of the same name has another. */
  readonly uid: string;
  /** The kubelet runs it from a file of the host; nobody else can end it. */
  readonly isMirror: boolean;
  readonly isTerminating: boolean;
  /** It has run to its end. */
  readonly isFinished: boolean;
  /** The kind of what makes it anew elsewhere, such as `ReplicaSet`; `undefined`: nothing does. */
  readonly controllerKind: string | undefined;
}

const FINISHED = new Set(['Succeeded', 'Failed']);

export const kubePodOf = ({ metadata, status }: Static<typeof podSchema>): KubePod => ({
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
  isMirror: metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
  isTerminating: metadata.deletionTimestamp !== undefined,
  isFinished: FINISHED.has(status?.phase ?? ''),
  controllerKind: metadata.ownerReferences?.find(({ controller }) => controller)?.kind,
});

/** As it is told to people. */
export const podName = ({ namespace, name }: KubePod): string => harmless(`${namespace}/${name}`);
