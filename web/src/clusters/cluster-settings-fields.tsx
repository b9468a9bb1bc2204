import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useApiQuery } from '../api/use-api-query.ts';
import { ErrorBox } from '../ui/callout.tsx';
import { SelectField } from '../ui/forms/field.tsx';
import type { ClusterRecord } from './cluster-health.ts';

type ClusterSettings = Pick<ClusterRecord, 'network' | 'container_manager'>;

interface ClusterSettingsFieldsProps {
  readonly settings: ClusterSettings;
  readonly onChange: (settings: ClusterSettings) => void;
}

const Options = ({ names }: { readonly names: readonly string[] }) =>
  names.map(name => (
    <option key={name} value={name}>
      {name}
    </option>
  ));

export function ClusterSettingsFields({ settings, onChange }: ClusterSettingsFieldsProps) {
  const networks = useApiQuery(queryKeys.networks, () => api.listNetworks());
  const managers = useApiQuery(queryKeys.containerManagers, () => api.listContainerManagers());
  const names = new Set([settings.network, ...(networks.data ?? [])]);
  return (
    <>
      <SelectField
        label="Network"
        hint="Network that hosts join."
        value={settings.network}
        onChange={event => onChange({ ...settings, network: event.target.value })}
      >
        <Options names={[...names]} />
      </SelectField>
      <SelectField
        label="Container manager"
        hint="Container manager that hosts become nodes of."
        value={settings.container_manager}
        onChange={event => onChange({ ...settings, container_manager: event.target.value })}
      >
        <option value="">None</option>
        <Options names={managers.data ?? []} />
      </SelectField>
      <ErrorBox error={networks.error ?? managers.error} />
    </>
  );
}
