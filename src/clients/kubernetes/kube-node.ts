import type { Static } from 'typebox';
import Type from 'typebox';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { someOf } from '../../lib/text/some-of.ts';

/** Under this name the server keeps what we have written. */
export const FIELD_MANAGER = 'hostler';

const texts = Type.Record(Type.String(), Type.String());

/** Of a Node of the API, what is looked at here. */
export const nodeSchema = Type.Object({
  metadata: Type.Object({
    // As long as the API lets them be.
    name: Type.String({ maxLength: 253 }),
    uid: Type.String({ maxLength: 253 }),
    resourceVersion: Type.String(),
    labels: Type.Optional(texts),
    annotations: Type.Optional(texts),
    managedFields: Type.Optional(
      Type.Array(
        Type.Object({
          manager: Type.Optional(Type.String()),
          fieldsV1: Type.Optional(
            Type.Object({ 'f:spec': Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
          ),
        }),
      ),
    ),
  }),
  spec: Type.Optional(Type.Object({ unschedulable: Type.Optional(Type.Boolean()) })),
  status: Type.Optional(
    Type.Object({
      addresses: Type.Optional(Type.Array(Type.Object({ type: Type.String(), address: Type.String() }))),
      conditions: Type.Optional(Type.Array(Type.Object({ type: Type.String(), status: Type.String() }))),
      capacity: Type.Optional(texts),
      nodeInfo: Type.Optional(
        Type.Object({ bootID: Type.Optional(Type.String()), osImage: Type.Optional(Type.String()) }),
      ),
    }),
  ),
});

export interface KubeNode {
  readonly name: string;
  /** Another one of the same name has another. */
  readonly uid: string;
  /** New with every change; a write that names an old one is refused. */
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isUnschedulable: boolean;
  /** Who has made it unschedulable, as the server keeps it. Empty: it does not say, as before Kubernetes 1.18. */
  readonly cordonManagers: readonly string[];
  /** Those that are literals, without repetition, internal ones first. */
  readonly addresses: readonly Address[];
  readonly hostname: string | undefined;
  /** `True`, `False` or `Unknown`, by type. */
  readonly conditions: Readonly<Record<string, string>>;
  /** Quantities of Kubernetes, such as `16393244Ki`, by resource. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly bootId: string | undefined;
  readonly osImage: string | undefined;
}

type Told = NonNullable<NonNullable<Static<typeof nodeSchema>['status']>['addresses']>;

const literals = (told: Told, type: string): Address[] =>
  told.flatMap(one => (one.type === type ? (parseAddress(one.address) ?? []) : []));

export function kubeNodeOf({ metadata, spec, status = {} }: Static<typeof nodeSchema>): KubeNode {
  const { addresses = [], conditions = [], capacity = {}, nodeInfo = {} } = status;
  const { name, uid, resourceVersion, labels = {}, annotations = {}, managedFields = [] } = metadata;
  return {
    ...{ name, uid, resourceVersion, labels, annotations, capacity },
    isUnschedulable: spec?.unschedulable ?? false,
    cordonManagers: managedFields.flatMap(({ manager = '', fieldsV1 }) =>
      fieldsV1?.['f:spec']?.['f:unschedulable'] === undefined ? [] : [manager],
    ),
    addresses: [...new Set([...literals(addresses, 'InternalIP'), ...literals(addresses, 'ExternalIP')])],
    hostname: addresses.find(({ type }) => type === 'Hostname')?.address,
    conditions: Object.fromEntries(conditions.map(condition => [condition.type, condition.status])),
    bootId: nodeInfo.bootID || undefined,
    osImage: nodeInfo.osImage || undefined,
  };
}

export const isReadyNode = ({ conditions }: KubeNode): boolean => conditions['Ready'] === 'True';

/** As it is told to people. */
export const nodeNames = (nodes: readonly KubeNode[]): string =>
  someOf(nodes.map(({ name }) => harmless(name)));
