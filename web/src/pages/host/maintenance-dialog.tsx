import { api } from '../../api/client.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';

interface MaintenanceDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

export function MaintenanceDialog({ address, onClose }: MaintenanceDialogProps) {
  const begin = (typed: FormData) =>
    api.putHostMaintenance({ address, body: { on: true, reason: String(typed.get('reason')) } });
  return (
    <FormDialog
      title={`Maintenance of ${address}`}
      verb="Begin maintenance"
      ask={begin}
      onClose={onClose}
      fields={['reason']}
    >
      {errors => (
        <>
          <p>
            It counts as unavailable in its cluster, and no operation touches it. It is watched as before.
          </p>
          <TextField
            label="Reason"
            name="reason"
            autoFocus
            hint="Why, for people."
            error={errors['reason']}
          />
        </>
      )}
    </FormDialog>
  );
}
