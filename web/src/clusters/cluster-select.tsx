import type { ReactNode, SelectHTMLAttributes } from 'react';
import { SelectField } from '../ui/forms/field.tsx';
import { useClusterNames } from './queries.ts';

interface ClusterOptionsProps {
  /** Label of the first option, which selects no cluster. */
  readonly emptyLabel: string;
  /** Is offered even if no cluster has this name, for example a name from the URL. */
  readonly selected?: string | undefined;
  readonly children?: ReactNode;
}

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
  readonly children?: ReactNode;
}

export const ClusterSelect = ({ emptyLabel, selected, children, ...select }: ClusterSelectProps) => (
  <SelectField {...select}>
    <ClusterOptions emptyLabel={emptyLabel} selected={selected}>
      {children}
    </ClusterOptions>
  </SelectField>
);
