import { useQuery } from '@tanstack/react-query';
import type { SelectHTMLAttributes } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { SelectField } from '../../ui/field.tsx';

interface ClusterSelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
  readonly hint?: string;
}

/** One of the clusters; the first choice is none. */
export function ClusterSelect(props: ClusterSelectProps) {
  const clusters = useQuery({
    queryKey: keys.clusterNames,
    queryFn: () => answerOf(api.listClusters()),
  });
  return (
    <SelectField {...props}>
      <option value="">{props.required ? 'Choose one' : 'None'}</option>
      {(clusters.data ?? []).map(name => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}
