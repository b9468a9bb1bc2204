import type { ReactNode, SelectHTMLAttributes } from 'react';
import { SelectField } from '../ui/forms/field.tsx';
import { useClusterNames } from './queries.ts';

interface ClusterOptionsProps {
  /** The words for no cluster, which is the first choice. */
  readonly emptyLabel: string;
  /** One that is there even if no cluster has this name, such as what the address bar says. */
  readonly selected?: string | undefined;
  /** More choices, before the clusters. */
  readonly children?: ReactNode;
}

/** The clusters, for a select that has its label elsewhere. */
export function ClusterOptions({ emptyLabel, selected = '', children }: ClusterOptionsProps) {
  const names = useClusterNames();
  const all = selected === '' || names.includes(selected) ? names : [selected, ...names];
  return (
    <>
      <option value="">{emptyLabel}</option>
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
export const ClusterSelect = ({ emptyLabel, selected, children, ...select }: ClusterSelectProps) => (
  <SelectField {...select}>
    <ClusterOptions emptyLabel={emptyLabel} selected={selected}>
      {children}
    </ClusterOptions>
  </SelectField>
);
