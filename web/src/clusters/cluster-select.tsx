import type { ReactNode, SelectHTMLAttributes } from 'react';
import { SelectField } from '../ui/forms/field.tsx';
import { useClusterNames } from './use-cluster-names.ts';

interface ClusterOptionsProps {
  /** The words for no cluster, which is the first choice. */
  readonly none: string;
  /** One that is there even if no cluster has this name, such as what the address bar says. */
  readonly chosen?: string | undefined;
  /** More choices, before the clusters. */
  readonly children?: ReactNode;
}

/** The clusters, for a select that has its label elsewhere. */
export function ClusterOptions({ none, chosen = '', children }: ClusterOptionsProps) {
  const names = useClusterNames();
  const all = chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <>
      <option value="">{none}</option>
      {children}
      {all.map(name => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </>
  );
}

interface ClusterSelectProps extends ClusterOptionsProps, SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with what was chosen. */
  readonly error?: string | undefined;
  readonly children?: ReactNode;
}

/** One of the clusters, or none. */
export const ClusterSelect = ({ none, chosen, children, ...select }: ClusterSelectProps) => (
  <SelectField {...select}>
    <ClusterOptions none={none} chosen={chosen}>
      {children}
    </ClusterOptions>
  </SelectField>
);
