CREATE FUNCTION public.refuse_in_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin raise exception '%', tg_argv[0]; end $$;


--
-- Name: refuse_uncut_in_log(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_uncut_in_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if old.id >= (select first_id from log_state) then raise exception '%', tg_argv[0]; end if;
      return old;
    end $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    password_hash text NOT NULL,
    revision text NOT NULL,
    created_at text NOT NULL,
    changed_at text NOT NULL
);


--
-- Name: agenda; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agenda (
    host text NOT NULL,
    phase integer NOT NULL,
    work_due_at bigint,
    check_due_at bigint,
    facts_due_at bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    owner text,
    fence bigint DEFAULT 0 NOT NULL
);


--
-- Name: cluster_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cluster_policies (
    cluster text NOT NULL COLLATE pg_catalog."C",
    wish_json text NOT NULL
);


--
-- Name: cluster_statuses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cluster_statuses (
    cluster text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL
);


--
-- Name: clusters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.clusters (
    name text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    container_manager text COLLATE pg_catalog."C",
    revision text NOT NULL
);


--
-- Name: data_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.data_keys (
    "position" integer NOT NULL,
    id text NOT NULL,
    wrapped text NOT NULL
);


--
-- Name: driver_memory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.driver_memory (
    scope text NOT NULL,
    key text NOT NULL,
    value text NOT NULL
);


--
-- Name: driver_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.driver_records (
    kind text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    options_json text NOT NULL,
    sealed_options_json text NOT NULL,
    revision text NOT NULL
);


--
-- Name: enrolment_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.enrolment_tokens (
    name text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL,
    secret_digest text NOT NULL,
    cluster text,
    cidr text,
    uses integer NOT NULL,
    used integer NOT NULL,
    created_at text NOT NULL,
    expires_at text NOT NULL
);


--
-- Name: host_access; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_access (
    host text NOT NULL,
    remote_user text NOT NULL,
    ssh_port integer NOT NULL,
    ssh_priv_key text NOT NULL,
    host_keys_json text NOT NULL,
    offered_host_key text,
    transport text DEFAULT ''::text NOT NULL,
    enrolled_by text
);


--
-- Name: host_labels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_labels (
    host text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: hosts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hosts (
    address text NOT NULL,
    sort_key text NOT NULL COLLATE pg_catalog."C",
    enrolment text NOT NULL,
    status text NOT NULL,
    reason text NOT NULL,
    os text NOT NULL,
    cpus integer NOT NULL,
    memory_kib bigint NOT NULL,
    space_kib bigint NOT NULL,
    last_check text NOT NULL,
    source text NOT NULL,
    cluster text COLLATE pg_catalog."C",
    listed_json text GENERATED ALWAYS AS ((((((((((((((('{"address":"'::text || address) || '","status":"'::text) || status) || '","os":"'::text) || os) || '","cpus":'::text) || (cpus)::text) || ',"memory":'::text) || (memory_kib)::text) || ',"space":'::text) || (space_kib)::text) || ',"last_check":"'::text) || last_check) || '"}'::text)) STORED NOT NULL,
    hostname text DEFAULT ''::text NOT NULL,
    boot_id text DEFAULT ''::text NOT NULL,
    os_driver text DEFAULT ''::text NOT NULL,
    registered_with text,
    in_maintenance integer DEFAULT 0 NOT NULL,
    maintenance_reason text DEFAULT ''::text NOT NULL,
    own_facts_json text,
    told_facts_json text,
    told_at bigint,
    is_told integer DEFAULT 0 NOT NULL,
    checks text DEFAULT ''::text NOT NULL
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    cluster text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL,
    operation text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: kysely_migration; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: kysely_migration_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log (
    id bigint NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    actor text NOT NULL,
    address text NOT NULL,
    request_id text NOT NULL,
    at text NOT NULL COLLATE pg_catalog."C",
    cluster text,
    host text,
    operation text,
    data_json text NOT NULL,
    hash text NOT NULL
);


--
-- Name: log_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_keys (
    id integer NOT NULL,
    sealed_key text NOT NULL,
    CONSTRAINT log_keys_id_check CHECK ((id = 1))
);


--
-- Name: log_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_state (
    id integer NOT NULL,
    last_id bigint NOT NULL,
    last_hash text NOT NULL,
    first_id bigint NOT NULL,
    events_from bigint NOT NULL,
    cut_json text,
    CONSTRAINT log_state_id_check CHECK ((id = 1))
);


--
-- Name: operation_hosts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operation_hosts (
    operation text NOT NULL COLLATE pg_catalog."C",
    host text NOT NULL,
    enrolment text NOT NULL,
    "position" integer NOT NULL,
    is_control_plane integer DEFAULT 0 NOT NULL,
    phase text DEFAULT 'pending'::text NOT NULL,
    is_staged integer DEFAULT 0 NOT NULL,
    is_unreachable integer DEFAULT 0 NOT NULL,
    unwanted text,
    keeps_slot integer DEFAULT 0 NOT NULL,
    is_cordoned integer DEFAULT 0 NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    skip_reason text,
    is_already_there integer DEFAULT 0 NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    prepared_json text DEFAULT '{}'::text NOT NULL,
    phases_json text DEFAULT '[]'::text NOT NULL,
    started_at text,
    finished_at text
);


--
-- Name: operation_output; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operation_output (
    operation text NOT NULL COLLATE pg_catalog."C",
    host text NOT NULL,
    attempt integer NOT NULL,
    step text NOT NULL,
    output text NOT NULL,
    last_lines text NOT NULL,
    at text NOT NULL
);


--
-- Name: operations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operations (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    cluster text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    policy_json text NOT NULL,
    wish_json text NOT NULL,
    state text NOT NULL,
    pause text,
    problem text DEFAULT ''::text NOT NULL,
    planned integer NOT NULL,
    forgiven_failures integer DEFAULT 0 NOT NULL,
    waiting_since bigint,
    ignored_json text DEFAULT '[]'::text NOT NULL,
    started_by text NOT NULL,
    started_at text NOT NULL COLLATE pg_catalog."C",
    finished_at text COLLATE pg_catalog."C",
    is_open integer NOT NULL,
    is_former integer DEFAULT 0 NOT NULL,
    due_at bigint
);


--
-- Name: operations_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.operations ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.operations_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox (
    id bigint NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    actor text NOT NULL,
    address text NOT NULL,
    request_id text NOT NULL,
    at text NOT NULL COLLATE pg_catalog."C",
    cluster text,
    host text,
    data_json text NOT NULL,
    operation text
);


--
-- Name: outbox_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: servers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.servers (
    incarnation text NOT NULL,
    alive_until bigint NOT NULL,
    boot_id text DEFAULT ''::text NOT NULL
);


--
-- Name: service_identity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.service_identity (
    id integer NOT NULL,
    public_key text NOT NULL,
    private_key text NOT NULL,
    CONSTRAINT service_identity_id_check CHECK ((id = 1))
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    id text NOT NULL,
    secret_digest text NOT NULL,
    account text NOT NULL,
    account_revision text NOT NULL,
    created_at text NOT NULL,
    expires_at text NOT NULL
);


--
-- Name: source_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.source_reads (
    source text NOT NULL COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    began_at bigint DEFAULT 0 NOT NULL,
    busy_until bigint DEFAULT 0 NOT NULL,
    fence bigint DEFAULT 0 NOT NULL,
    problem text DEFAULT ''::text NOT NULL
);


--
-- Name: switches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.switches (
    name text NOT NULL,
    is_on integer NOT NULL
);


--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhooks (
    name text NOT NULL COLLATE pg_catalog."C",
    sealed_url text NOT NULL,
    sealed_secret text NOT NULL,
    events_json text NOT NULL,
    revision text NOT NULL,
    created_at text NOT NULL,
    "position" bigint NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at bigint DEFAULT 0 NOT NULL,
    failing_since bigint,
    problem text DEFAULT ''::text NOT NULL,
    parked_at text,
    delivered_id bigint,
    delivered_at text,
    busy_until bigint DEFAULT 0 NOT NULL,
    fence bigint DEFAULT 0 NOT NULL
);


--
-- Name: work; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.work (
    id bigint NOT NULL,
    kind text NOT NULL,
    host text NOT NULL,
    enrolment text NOT NULL,
    details_json text NOT NULL,
    saved_at text NOT NULL,
    progress_json text DEFAULT '{}'::text NOT NULL,
    due_at bigint DEFAULT 0 NOT NULL,
    operation text
);


--
-- Name: work_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.work ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.work_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('admin', 'admin', '$argon2id$v=19$m=19456,t=2,p=1$e4YJwdloqbiwP1apUh2z4w$riBWD34tfispqtJa6rXwgwdJBV9MPaLLkJ6K7VSY5g4', 'sK5XuwxKmUbqeKLO', '2026-11-16T09:00:42.853000', '2026-11-16T09:00:42.853000');
INSERT INTO public.accounts VALUES ('vera', 'viewer', '$argon2id$v=19$m=19456,t=2,p=1$sVbLz5osfQeEfn3Qq4LXTw$ZxDowTVwLrwaWat3eIl/OIYA8/hRDNCiBV/eTAgmArI', '6TxJpc-Rnbz9LK_I', '2026-11-16T09:00:53.669000', '2026-11-16T09:00:53.669000');
INSERT INTO public.accounts VALUES ('otto', 'operator', '$argon2id$v=19$m=19456,t=2,p=1$7rp/lfvjJCXOG1Ryd7sIIg$Mh8DSvXq5ul+xbTALZGsWFX6FfPwWipYUufeBX8ySWk', '1WEsENBKAlWOYyM4', '2026-11-16T09:00:53.886000', '2026-11-16T09:00:53.886000');


--
-- Data for Name: agenda; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.agenda VALUES ('127.92.0.1', 2715, NULL, 1794819736290, 1794823246826, 0, NULL, 6);
INSERT INTO public.agenda VALUES ('127.92.0.2', 624, NULL, 1794819723744, 1794823247233, 0, NULL, 6);
INSERT INTO public.agenda VALUES ('127.91.0.3', 6043, NULL, 1794819696258, 1794823248803, 0, NULL, 2);
INSERT INTO public.agenda VALUES ('127.91.0.1', 5691, NULL, 1794819694146, 1794823252179, 0, NULL, 6);
INSERT INTO public.agenda VALUES ('127.91.0.2', 4555, 1794819652315, 1794819687330, 1794823248718, 0, NULL, 3);
INSERT INTO public.agenda VALUES ('127.93.0.1', 7036, 1794819654076, NULL, 0, 0, NULL, 0);
INSERT INTO public.agenda VALUES ('127.93.0.2', 3965, 1794819654123, NULL, 0, 0, NULL, 0);
INSERT INTO public.agenda VALUES ('127.93.0.3', 9023, 1794819654168, NULL, 0, 0, NULL, 0);
INSERT INTO public.agenda VALUES ('127.93.0.4', 939, 1794819654217, NULL, 0, 0, NULL, 0);
INSERT INTO public.agenda VALUES ('127.93.0.5', 5337, 1794819654258, NULL, 0, 0, NULL, 0);
INSERT INTO public.agenda VALUES ('127.93.0.6', 7867, 1794819654304, NULL, 0, 0, NULL, 0);


--
-- Data for Name: cluster_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.cluster_policies VALUES ('still', '{"maxUnavailable":"20%","maxFailures":2}');


--
-- Data for Name: cluster_statuses; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.cluster_statuses VALUES ('upgraded', 'ok');
INSERT INTO public.cluster_statuses VALUES ('restarted', 'ok');
INSERT INTO public.cluster_statuses VALUES ('still', 'degraded');


--
-- Data for Name: clusters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.clusters VALUES ('upgraded', 'default', NULL, '7M7Hd56qHTYEXsoV');
INSERT INTO public.clusters VALUES ('restarted', 'default', NULL, 'ZXyQx-m2OfL256Iq');
INSERT INTO public.clusters VALUES ('still', 'lab', 'plain', 'RnGW3LW6eaMm2KDn');


--
-- Data for Name: data_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.data_keys VALUES (1, '2bdc029d', '8IkUh+AHqzqYTZc+tySruIOgvd+fpf75SyzpSsyUJlBRAp2sI/ay9lA4592KOy7VSyYADsOvf/BPQoDmgzr3lwLSs7H96RFA');


--
-- Data for Name: driver_memory; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: driver_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.driver_records VALUES ('network', 'default', 'none', '{}', '{}', 'nWsFFVnnxQNRztfu');
INSERT INTO public.driver_records VALUES ('container_manager', 'nodes', 'k3s', '{"server_url":"https://127.0.0.1:6443"}', '{"token":"v1.2bdc029d.L7VEfRKtBdl45zlyusPmsZZqfFf0cTv1/IzjNE3FbWIbXM/lOjvJncVz"}', 'Kas5rGrcL01phFF0');
INSERT INTO public.driver_records VALUES ('container_manager', 'plain', 'trivial', '{}', '{}', 'EV_QeQB4HhPlzPP6');
INSERT INTO public.driver_records VALUES ('network', 'lab', 'none', '{}', '{}', 'oSat2qygzIqkIDS7');


--
-- Data for Name: enrolment_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.enrolment_tokens VALUES ('racks', 'e6nwPcyQN9oe83CS', '54df8dd4d8623dde5b4fa2efe7bb2e53d7f6f692a3326dded2be47054dfae5fc', 'still', NULL, 5, 0, '2026-11-16T09:00:54.006000', '2026-11-17T09:00:54.006000');


--
-- Data for Name: host_access; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_access VALUES ('127.92.0.1', 'root', 22, 'v1.2bdc029d.D5T0KfQdlN0XAWrO9ExrAgFJiwjIPcEeSJH7lpBfW512TzGesS1d9o6FtULk77JJtFFD0yEAoDRTJOXa6deB2cssrN8Zk0EeBWTmOffrgyxk+WA/II2I0YsQTRJ1s8xfxUEjK4+YHdz3IlAY3IBtrLDD1bkd7/pzlDT4HrK4v2O1Pva3o4R5myDC2zoMgkwAoxIJmUeyFOFuAiMaXPIrmmhCt8iCPpFebK1N6dpQ03pD9xv8RkFpj83sRQ4=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAymWEulP6TNblpij2T9HFXfAL6ogM8L4qBd52s4hIvd"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.92.0.2', 'root', 22, 'v1.2bdc029d.hTCh3svFji8o0oVQ3Hcc13qL6ISqupYoE0BoyO0fFLOwz4loPJlqBuJ4h+gZ5nDwttHq1Au1qiXsUYHzkPF6v+Fkwdefc7eMUu40HVENT22o2rHdm+DYWpyqTGdY0sUgo+5C+QQf8D85qT2sr4GRH0WYctQCEgMKDsFTjNWAe32GJ/9hb05NIwGVmSip8vMDNiIe2nXYxRSWMhrTfOvmi5we81y5hRO3i0pRkS3Vn7527Hgw0nPNYa3fIKw=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO/cYbkDKckn60jK3aVB5qPSbwS4EVrgoAPJt1aqpfrc"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.91.0.1', 'root', 22, 'v1.2bdc029d.2nJF+3TN3/KWx7PUAlIE+8o62VcxMIObG17ASkiQHgaYtnGRfYDVhB/1uNIBgZ3eitB80f4GOKyZHVeYI22Mi5GWFJrnapr64fgnBDDApShuYFDXQ1tGVqRW3caKy2Ime1HX6QE+TH26iJaZUcynk7Yy/M+tEiYdIIDpMutDlUxkg5Ag2Q6NL/rgUvaxHR3g3yOT94dI0bNa40NYksMHt1hX7hhL08/jwWKSK61dH/u+McfSlhplNeDYZBE=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIERF4pK+Kj38CKPHblpk0h06bFiaHrmLrKbGOYT7ODOq"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.91.0.2', 'root', 22, 'v1.2bdc029d.GvIIMLUkF5wDBgR65eYj2nS1QXW3we1mFPpjSWmS0eY4X2wUncldyGpCaTL1wmUcgTSxvvm1wgI0u6gXnsQ1R4UGEWwq+xDwGmJjtcYkvL+b7DrJRRefkZUsRoKKoQ985ltFuEiSpgDzohkxuvUJ0tYP09nRMovhLhxN9Z0SE4kO67TK2rSIVp0CSLR1E0u9VEa7G7bLD3E9oc2Cgi38S95C/KUslnhnhutJzsRc6dq7SNpJYTutmho3eS0=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMdg2MgP/XiI7OhApYPNlnEtT/UymMGdOHT/aLkwogpS"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.91.0.3', 'root', 22, 'v1.2bdc029d.YaBFpIB9KGA5wfXkr+d9AfLftpEln2YKMVabaBGcium7fmz2SXrFelhLH1HH2RGRbMeQXqgEU7l0eO08cWGBYcQrOeS0R2KTkW24XN2UjgfWvV2lgjE8z9xVxJytsnMqhgOe6/aAh5w/cG5sdN3MeCOFlnXCwmYFWHQlivhr22e76sn7HZc04cEb5AUQsbNR4CsO7gTffbDlTFZVBOw0AHeTs7DuyPuUL06KdHxG1oZCfrZjrW9m/ZMLxLE=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINOHYxzDu/jYyLhFvmbnMbfm9z4Tmciw1k5gMx/1ueQA"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.93.0.1', 'core', 2222, 'v1.2bdc029d.fBi8dE0pm3aQkTB7RE6h4ao31GbLlGNMh4Xp6QSnDbN03Ad5zXShJ2qMdLOSTWz/kR2GDHKKqbe4V0tdzQjIiBPOXSCcjCOAV7WUWFyc2NEwVrfpQ4J/QAvZaYEH8ybqpbNAT/qtewXhsM/BCNIfGqTNiHrv0GIaWDhkDDMDltY7nKToML9XWStLXT0wxBb3/XTVMI6/70qs3NsKgrl3xzsF9nvu0tzWE6/VjiQU7gs/DT3aC8kYvlmLhHo=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.93.0.2', 'core', 2222, 'v1.2bdc029d.g59EXK2xzQ/za4kDLPwbO06Nm+bCv9xVzwt+PWrOMjzqspDFiQTwvKljsSmCb4Jtm/JFIRHt+u6aVH3VAepV1nMBSFj/1AFIq5KVZko4lsvaQO6jhz/x5YmfdL6XCEge9qRQ+aq3iej8xvkUtTqKYTMexwzTMo/OHQfmufH2sO3XeEGE2S+bc+T92jk3bX471xWtzzbukJ6K96RRiisSOxc1UDKKquyK/lUPaBwm7H5UTKyQmahWlbpY3zE=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.93.0.3', 'core', 2222, 'v1.2bdc029d.gQLpgJ1oyDwIyfWmMyjJyJglh37n0XbNLCj30U4YBbKhjV4k6f/LujooHNbtAW3tn2Jc7vvcT1vo3QSUu4rvLSaVtBT4TTbLEYE2CY7VbAGLvUYotT0FWtT4rQ5M9uHqFuqt4/HYfZpNVO5MCFQs8fpxaBgAyhOSkF5BdMl9PfGNMfjU9jJnXtYsAq44pHgunGGKjNR92hFfXyVpYCUpRbIp9zxZkJrefgndWFPVOiCAHklV4F83Q0NAid0=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.93.0.4', 'core', 2222, 'v1.2bdc029d.pG024iiv2TVrMx5CBsqDvEkbHTKs3CN+yNPAezZEFrMWOMH4P/gDiuGURm+Zc/7reeJRQ2Kf6hRUZ92I/zNPnHiGwJMObl5JsabSnn198uLphbp6uT3CFM6UFTnEK7J+FyLFya2fc+u3rU06C7tFc4CUf/mjMMC899i0Uoc7dggTaohT0pFBqNNPB2YXdrHaECODpYp33A45rOSjEjoqoNUn2T7kBZK/DOnQ/mI2dTBL/rfgoowxTns/e+c=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.93.0.5', 'core', 2222, 'v1.2bdc029d.N4LWsrc9Pm2qIS2uWFckKMHBEV6cztTWsBa4eqA8EEdquAGIY9zgzFMslZs7edpDN8zBLR84Q5UtYgJZQspergdhN/pRi5XccZgmGQ/UzQZfh/q/NzeWP17K6CLrDEcvC/ogrbYHzWkm5H80kyrwto4yZEbtvrIMUpJvRCslBRLNPTEOUQ2OKSloYklulhayAz9SPJZfyBfZ+4ZlK2//jCwNybfVj0Kxv6UxCumKXWwkIZ0buRejoDO1KH0=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]', NULL, '', NULL);
INSERT INTO public.host_access VALUES ('127.93.0.6', 'core', 2222, 'v1.2bdc029d.+fs5hwj/enTBr/2putdVLH638kwLxWTcg74VoBVK3jDNfmUEZdmEka+IKnhS9DGQ033Y90T01hDZF2jyGa9Bb12YZR7srp7NkXFq1d+rWvARCXZyZb0UMjO7C3wFlZfUdWCILErcx5eq7etGhkoSy3COmaxDR4l/E3kr9uKsKDxSvExk9U9WH3yd/WSuks2iRYqa3/y83SWN5X/l5CdO/qodCEzOQgCkfK+vVfCaj1N0WaFpJnjk8X+m2hY=', '["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]', NULL, '', NULL);


--
-- Data for Name: host_labels; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_labels VALUES ('127.93.0.1', 'rack', 'r1');
INSERT INTO public.host_labels VALUES ('127.93.0.1', 'ring', 'first');


--
-- Data for Name: hosts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.hosts VALUES ('127.91.0.2', '47f5b0002', 'da-zNVDnx9tRvP-U', 'active', '', 'debian', 2, 4194304, 41943040, '2026-11-16T09:00:48.717000', '', 'restarted', DEFAULT, 'host-127-91-0-2', 'c94aaa9d-07b7-4838-ab5b-b09c79b7e14b', 'apt', NULL, 0, '', NULL, NULL, NULL, 0, '0mwj1a099+');
INSERT INTO public.hosts VALUES ('127.92.0.1', '47f5c0001', 'tgA9hTIqpdMeEos1', 'active', '', 'debian', 2, 4194304, 41943040, '2026-11-16T09:00:46.825000', '', 'upgraded', DEFAULT, 'host-127-92-0-1', '9d04a074-7d7b-487e-a829-e566b4af9fa7', 'apt', NULL, 0, '', NULL, NULL, NULL, 0, '0mwj19wkf+0mwj19ysp+');
INSERT INTO public.hosts VALUES ('127.92.0.2', '47f5c0002', 'HjNH7mV9gD0ZS6Os', 'active', '', 'debian', 2, 4194304, 41943040, '2026-11-16T09:00:47.233000', '', 'upgraded', DEFAULT, 'host-127-92-0-2', '150e8f39-cdef-411b-a84a-8725a29d4151', 'apt', NULL, 0, '', NULL, NULL, NULL, 0, '0mwj19wkk+0mwj19z41+');
INSERT INTO public.hosts VALUES ('127.91.0.3', '47f5b0003', 'wpoNcWZkJT3Dj2QF', 'active', '', 'debian', 2, 4194304, 41943040, '2026-11-16T09:00:48.803000', '', 'restarted', DEFAULT, 'host-127-91-0-3', 'f7bb07cd-63cf-4dc9-ac16-c45e9fb8b1d8', 'apt', NULL, 0, '', NULL, NULL, NULL, 0, '0mwj1a0bn+');
INSERT INTO public.hosts VALUES ('127.91.0.1', '47f5b0001', 'JmGGOz3iEZxkmjha', 'active', '', 'debian', 2, 4194304, 41943040, '2026-11-16T09:00:52.177000', '', 'restarted', DEFAULT, 'host-127-91-0-1', '9e1ae7a9-f5f8-4a08-a640-bec944cc0a0e', 'apt', NULL, 0, '', NULL, NULL, NULL, 0, '0mwj1a09g+0mwj1a2xd+');
INSERT INTO public.hosts VALUES ('127.93.0.2', '47f5d0002', 'Pn2b0inRzWz8qq8q', 'bootstrapping', '', '', 0, 0, 0, '', '', 'still', DEFAULT, '', '', '', NULL, 0, '', NULL, NULL, NULL, 0, '');
INSERT INTO public.hosts VALUES ('127.93.0.3', '47f5d0003', 'Scy-UPsRjuBKdAyk', 'active', '', '', 0, 0, 0, '', '', 'still', DEFAULT, '', '', '', NULL, 0, '', NULL, NULL, NULL, 0, '');
INSERT INTO public.hosts VALUES ('127.93.0.4', '47f5d0004', 'mDKr5GLcizY9DMHH', 'disassociated', '', '', 0, 0, 0, '', '', NULL, DEFAULT, '', '', '', NULL, 0, '', NULL, NULL, NULL, 0, '');
INSERT INTO public.hosts VALUES ('127.93.0.5', '47f5d0005', 'aMtjzaDzqOLP4RSM', 'failed', '', '', 0, 0, 0, '', '', 'still', DEFAULT, '', '', '', NULL, 0, '', NULL, NULL, NULL, 0, '');
INSERT INTO public.hosts VALUES ('127.93.0.6', '47f5d0006', '7xE7jlB5PVmLuANY', 'unreachable', '', '', 0, 0, 0, '', '', 'still', DEFAULT, '', '', '', NULL, 0, '', NULL, NULL, NULL, 0, '');
INSERT INTO public.hosts VALUES ('127.93.0.1', '47f5d0001', 'AKEIfZP_tQHzUxf5', 'investigating', '', '', 0, 0, 0, '', '', 'still', DEFAULT, '', '', '', NULL, 1, 'a new disk', NULL, NULL, NULL, 0, '');


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: kysely_migration; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.kysely_migration VALUES ('0001-records', '2026-11-16T09:00:41.457Z');
INSERT INTO public.kysely_migration VALUES ('0002-lists', '2026-11-16T09:00:41.486Z');
INSERT INTO public.kysely_migration VALUES ('0003-identity', '2026-11-16T09:00:41.490Z');
INSERT INTO public.kysely_migration VALUES ('0004-engine', '2026-11-16T09:00:41.548Z');
INSERT INTO public.kysely_migration VALUES ('0005-transports', '2026-11-16T09:00:41.550Z');
INSERT INTO public.kysely_migration VALUES ('0006-operations', '2026-11-16T09:00:41.614Z');
INSERT INTO public.kysely_migration VALUES ('0007-host-sources', '2026-11-16T09:00:41.627Z');
INSERT INTO public.kysely_migration VALUES ('0008-events', '2026-11-16T09:00:41.657Z');
INSERT INTO public.kysely_migration VALUES ('0009-append-only-log', '2026-11-16T09:00:41.662Z');
INSERT INTO public.kysely_migration VALUES ('0010-enrolment-tokens', '2026-11-16T09:00:41.675Z');
INSERT INTO public.kysely_migration VALUES ('0011-sessions', '2026-11-16T09:00:41.687Z');
INSERT INTO public.kysely_migration VALUES ('0012-checks', '2026-11-16T09:00:41.694Z');


--
-- Data for Name: kysely_migration_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);


--
-- Data for Name: log; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.log VALUES (1, 'account.created', 'admin', '', '', '', '2026-11-16T09:00:42.856000', NULL, NULL, NULL, '{"role":"admin"}', '065f0669ad05f5f6ffb91bac48a79fd5ffaa2b9e6037e92b8fb86a9fdd7e12ab');
INSERT INTO public.log VALUES (2, 'cluster.created', 'upgraded', 'admin', '127.0.0.1', '3daf5a041f8f-1', '2026-11-16T09:00:43.195000', 'upgraded', NULL, NULL, '{"network":"default","container_manager":""}', '614198957a2f982c378b024067011a12d41c2ef3535d7209cf947cd6e3076cec');
INSERT INTO public.log VALUES (3, 'host.created', '127.92.0.1', 'admin', '127.0.0.1', '3daf5a041f8f-2', '2026-11-16T09:00:43.244000', 'upgraded', '127.92.0.1', NULL, '{"remote_user":"root"}', 'cedd623b51cc1ae5dce60b55a2c264cf17f626d14ba86fad78e48ff51296ea02');
INSERT INTO public.log VALUES (4, 'cluster.members', 'upgraded', 'admin', '127.0.0.1', '3daf5a041f8f-2', '2026-11-16T09:00:43.244000', 'upgraded', NULL, NULL, '{"joined":["127.92.0.1"],"left":[]}', '08d1a9dbd44268f06b164203ff5da0897b11f18edde8b25849376ebc3e6f62a3');
INSERT INTO public.log VALUES (5, 'cluster.status', 'upgraded', '', '', '', '2026-11-16T09:00:43.244000', 'upgraded', NULL, NULL, '{"from":"ok","to":"degraded"}', 'c452090a6f691b9275065b0026e6598148f5e4cd32cb968ec473afc0641a2f7e');
INSERT INTO public.log VALUES (6, 'host.created', '127.92.0.2', 'admin', '127.0.0.1', '3daf5a041f8f-3', '2026-11-16T09:00:43.333000', 'upgraded', '127.92.0.2', NULL, '{"remote_user":"root"}', 'bf1519105dd773eb434a12a07d2b554187533d428de5fa18c0e889d0bbfcf483');
INSERT INTO public.log VALUES (7, 'cluster.members', 'upgraded', 'admin', '127.0.0.1', '3daf5a041f8f-3', '2026-11-16T09:00:43.333000', 'upgraded', NULL, NULL, '{"joined":["127.92.0.2"],"left":[]}', 'c4199ada9eae9bdb0d00a6348e342f495e3eaf4e44396e370a59729355549a9b');
INSERT INTO public.log VALUES (8, 'host.status', '127.92.0.1', '', '', '', '2026-11-16T09:00:43.415000', 'upgraded', '127.92.0.1', NULL, '{"from":"investigating","to":"bootstrapping"}', 'dd8f741c95697813a0a67b0070f55268b43ffb20c391c9eff41aa2181f7b7f57');
INSERT INTO public.log VALUES (9, 'host.status', '127.92.0.2', '', '', '', '2026-11-16T09:00:43.462000', 'upgraded', '127.92.0.2', NULL, '{"from":"investigating","to":"bootstrapping"}', 'd062e69a8201b64125a2dc4d565c27eebf27890b6e1d33d0f560c9ffd50bddc5');
INSERT INTO public.log VALUES (10, 'host.status', '127.92.0.1', '', '', '', '2026-11-16T09:00:43.467000', 'upgraded', '127.92.0.1', NULL, '{"from":"bootstrapping","to":"active"}', '1b3eab29c2441329d9b3865273279928a1ee74441d3061aa2f2a9ff6426d1f18');
INSERT INTO public.log VALUES (11, 'host.status', '127.92.0.2', '', '', '', '2026-11-16T09:00:43.609000', 'upgraded', '127.92.0.2', NULL, '{"from":"bootstrapping","to":"active"}', '03124d1dd8434685959517e85bbc5ea9a1e35bf2d26af2836fd7de16c545be22');
INSERT INTO public.log VALUES (12, 'cluster.status', 'upgraded', '', '', '', '2026-11-16T09:00:43.609000', 'upgraded', NULL, NULL, '{"from":"degraded","to":"ok"}', '11a802b90cb443d36c6a13a9af97681c3549b61af884eebb58f31abfff6645fa');
INSERT INTO public.log VALUES (13, 'operation.started', 'JP1BlzCHuaTTZArh', 'admin', '127.0.0.1', '3daf5a041f8f-i', '2026-11-16T09:00:43.688000', 'upgraded', NULL, 'JP1BlzCHuaTTZArh', '{"kind":"upgrade","hosts":2}', '03be52315c861fd9fb77dcf1ac8023521743ec1af06538796ff8d54f13605b1f');
INSERT INTO public.log VALUES (14, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:43.827000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"preflight","attempt":1}', 'd52b6236db6e58b1172620b5ef2f6ab425536ff257fe6455a66ad164c0ab02e7');
INSERT INTO public.log VALUES (15, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:43.827000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"preflight","attempt":1}', '5b0bd0b0a8382e905e39f64844a969e220dccb3b23570cf421182cb2ff0b87ac');
INSERT INTO public.log VALUES (16, 'operation.state', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:43.827000', 'upgraded', NULL, 'JP1BlzCHuaTTZArh', '{"state":"running"}', 'e1dd156fb96770d2e1f57cb9bf75644f2048ddb33aae3cef75340b22f78a0c95');
INSERT INTO public.log VALUES (17, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:43.935000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"staging","attempt":1}', '550c820e0b3a72cbee8ff62bf2dc7dc48e03bf3e0938ff6c2c8c41786a120d74');
INSERT INTO public.log VALUES (18, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:43.940000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"staging","attempt":1}', 'c2236eed05ef466d8d060c166a3262c400eeed1b12ca4782d92edbe73f412f84');
INSERT INTO public.log VALUES (19, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:44.045000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"applying","attempt":1}', '8423e7f51c9595fb58dcb59fabfc12e3af2bcb154ac59d046a0131a24c85cbc5');
INSERT INTO public.log VALUES (20, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:44.045000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"applying","attempt":1}', '37fc5cb6abc69a1a516ed729862e7596299877b159333ee56e77a37c430fa55e');
INSERT INTO public.log VALUES (21, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:44.184000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"armed","attempt":1}', '52eb247a474ee065e7a3ab80eb7b3a172f06673342233c9af3e57cbafa17363d');
INSERT INTO public.log VALUES (22, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:44.203000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"armed","attempt":1}', '6de49cc17626cc6e8abab63cf563e86b2a5e611467974ad603dc385ec5099b1a');
INSERT INTO public.log VALUES (23, 'host.status', '127.92.0.2', '', '', '', '2026-11-16T09:00:44.349000', 'upgraded', '127.92.0.2', NULL, '{"from":"active","to":"unreachable","reason":"rebooting: upgrade JP1BlzCHuaTTZArh has it reboot"}', '13167848461b75b12f4fa903942a3110e73f21abd5000313fd9648c1940c4ed6');
INSERT INTO public.log VALUES (24, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:44.349000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"rebooting","attempt":1}', 'e2da347887c55022ab8f94f4ee4548c1378d71e5b8fc4cd0942023580068122e');
INSERT INTO public.log VALUES (25, 'cluster.status', 'upgraded', '', '', '', '2026-11-16T09:00:44.349000', 'upgraded', NULL, NULL, '{"from":"ok","to":"degraded"}', 'cb128000d0306442a9816b1eaea6ac35ef80c90c1597664cbfdb545212696e4c');
INSERT INTO public.log VALUES (26, 'host.status', '127.92.0.1', '', '', '', '2026-11-16T09:00:44.404000', 'upgraded', '127.92.0.1', NULL, '{"from":"active","to":"unreachable","reason":"rebooting: upgrade JP1BlzCHuaTTZArh has it reboot"}', '6932497ec3be6f3517a8beda63eb9eca746e2213ed7dce8fc9ef5cc0033d4874');
INSERT INTO public.log VALUES (27, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:44.404000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"rebooting","attempt":1}', 'bcb5bd1667aa940a670790b9e1a4c1d21c8f710f8111068e0c34327f121ac0f1');
INSERT INTO public.log VALUES (28, 'cluster.status', 'upgraded', '', '', '', '2026-11-16T09:00:44.404000', 'upgraded', NULL, NULL, '{"from":"degraded","to":"failed"}', '55da5882eab86b5edbf76aa078f74cee807342dd82a12064cea338c1ef9bf47f');
INSERT INTO public.log VALUES (29, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:45.681000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"verifying","attempt":1}', '85572197f616f1b5b4b4c55903d109ada6f28a4942091f78c156694b5d4f2fcf');
INSERT INTO public.log VALUES (30, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:46.096000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"verifying","attempt":1}', '8451cdba2d11eb484ad8e53915442ca26b929d190091504aefba07c5d7bb206f');
INSERT INTO public.log VALUES (31, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:46.825000', 'upgraded', '127.92.0.1', 'JP1BlzCHuaTTZArh', '{"state":"done","attempt":1}', 'c23697fecebb242e8eb3411cb3e6638c23baf7a76203fa890b350c93c51f0608');
INSERT INTO public.log VALUES (32, 'host.status', '127.92.0.1', '', '', '', '2026-11-16T09:00:46.825000', 'upgraded', '127.92.0.1', NULL, '{"from":"unreachable","to":"active"}', 'f6ec86452a197376bf39be59bcc1ea91d3409f11fa27b0d80cf504f88e279383');
INSERT INTO public.log VALUES (33, 'cluster.status', 'upgraded', '', '', '', '2026-11-16T09:00:46.825000', 'upgraded', NULL, NULL, '{"from":"failed","to":"degraded"}', 'd34b8d9303095db1621bd879e72e6c37dab7d3e10538ff3e456d36298f73340a');
INSERT INTO public.log VALUES (34, 'operation.host', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:47.233000', 'upgraded', '127.92.0.2', 'JP1BlzCHuaTTZArh', '{"state":"done","attempt":1}', 'cff960c652aeacdab9e5f6a369bd4b44782fccc171e09a2c95857c67cb9536d9');
INSERT INTO public.log VALUES (35, 'host.status', '127.92.0.2', '', '', '', '2026-11-16T09:00:47.233000', 'upgraded', '127.92.0.2', NULL, '{"from":"unreachable","to":"active"}', 'db1ed1d3fc6f11c4e6ec50df9848933c7667b27edac615636bdc3dc32ddb10a2');
INSERT INTO public.log VALUES (36, 'cluster.status', 'upgraded', '', '', '', '2026-11-16T09:00:47.233000', 'upgraded', NULL, NULL, '{"from":"degraded","to":"ok"}', '6aaefa4913654d3b9c51dc06dc7da02c8186fc67ef72694bc4a24ff8c534876c');
INSERT INTO public.log VALUES (37, 'operation.ended', 'JP1BlzCHuaTTZArh', '', '', '', '2026-11-16T09:00:47.398000', 'upgraded', NULL, 'JP1BlzCHuaTTZArh', '{"state":"finished"}', 'b05a4b305eb24b1b9ef15b89b7342fba14abf1649e3090590b14674969bfef83');
INSERT INTO public.log VALUES (38, 'cluster.created', 'restarted', 'admin', '127.0.0.1', '3daf5a041f8f-40', '2026-11-16T09:00:47.446000', 'restarted', NULL, NULL, '{"network":"default","container_manager":""}', 'd943415e9c9722cf3f49c46b7bb6944ba8f41aac780ed22ad271a752b1741186');
INSERT INTO public.log VALUES (47, 'host.status', '127.91.0.2', '', '', '', '2026-11-16T09:00:47.833000', 'restarted', '127.91.0.2', NULL, '{"from":"investigating","to":"bootstrapping"}', '46198487aa430c373aa59a151a356801d76ec384bc4d0ee978cec5608ab0ab75');
INSERT INTO public.log VALUES (48, 'host.status', '127.91.0.3', '', '', '', '2026-11-16T09:00:47.843000', 'restarted', '127.91.0.3', NULL, '{"from":"investigating","to":"bootstrapping"}', 'dc5f235ac987d6034bfd9c14885316f354d18c7472a96041929abbca1e0cf65f');
INSERT INTO public.log VALUES (49, 'host.status', '127.91.0.1', '', '', '', '2026-11-16T09:00:48.007000', 'restarted', '127.91.0.1', NULL, '{"from":"bootstrapping","to":"active"}', '7f237dae93d4466bada224db8a83b581e11516fd67d4fe585fe91cdce8d52216');
INSERT INTO public.log VALUES (50, 'host.status', '127.91.0.2', '', '', '', '2026-11-16T09:00:48.091000', 'restarted', '127.91.0.2', NULL, '{"from":"bootstrapping","to":"active"}', '78a28c38dd1a6513a582ebc5280eb9765adaffaada172a545906f1e60f931260');
INSERT INTO public.log VALUES (51, 'host.status', '127.91.0.3', '', '', '', '2026-11-16T09:00:48.218000', 'restarted', '127.91.0.3', NULL, '{"from":"bootstrapping","to":"active"}', 'aee891e588458fd84819bbd5fd01371b039dc79e6b39a852601a3fb4ecc0ec50');
INSERT INTO public.log VALUES (52, 'cluster.status', 'restarted', '', '', '', '2026-11-16T09:00:48.218000', 'restarted', NULL, NULL, '{"from":"degraded","to":"ok"}', '2bcb248d60431325f0d2e8780cbe2e2f534764babed3bb1663a1a271c605f3ea');
INSERT INTO public.log VALUES (58, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.724000', 'restarted', '127.91.0.1', 'IpO-wgO7Zg-lbMQS', '{"state":"staging","attempt":1}', '50728b6fcfbb710d94783d8096869c4b19a021ae7f3d0437cc67c9689f8c37d0');
INSERT INTO public.log VALUES (59, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.717000', 'restarted', '127.91.0.2', 'IpO-wgO7Zg-lbMQS', '{"state":"staging","attempt":1}', 'e691921c413acf87c1d7f7df6a7835fc2355eb020c6803e433e3cd52610ab0cd');
INSERT INTO public.log VALUES (60, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.803000', 'restarted', '127.91.0.3', 'IpO-wgO7Zg-lbMQS', '{"state":"staging","attempt":1}', '5967ee2793b3acb8ae439dcbcc93161241fc18e69ccfb501bad7aca2f419fad5');
INSERT INTO public.log VALUES (62, 'host.status', '127.91.0.1', '', '', '', '2026-11-16T09:00:49.138000', 'restarted', '127.91.0.1', NULL, '{"from":"active","to":"unreachable","reason":"rebooting: restart IpO-wgO7Zg-lbMQS has it reboot"}', '43efd8008cb163a1feb8f688bb15e5c65685798e93421cdcae6b89cadcf19732');
INSERT INTO public.log VALUES (63, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:49.138000', 'restarted', '127.91.0.1', 'IpO-wgO7Zg-lbMQS', '{"state":"rebooting","attempt":1}', '1ded9b5d1cee0ddf7243e0d080d0ec892961b4093aac3c9ff1e2a23f8a30efdd');
INSERT INTO public.log VALUES (64, 'cluster.status', 'restarted', '', '', '', '2026-11-16T09:00:49.138000', 'restarted', NULL, NULL, '{"from":"ok","to":"degraded"}', '2011ed55903555732e0c5667de349a9228b26bc65c96ddd0e13c6da82b019b5b');
INSERT INTO public.log VALUES (66, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:52.177000', 'restarted', '127.91.0.1', 'IpO-wgO7Zg-lbMQS', '{"state":"done","attempt":1}', '0ff2f92eac493e8a7c304b6f57e99168b77a4e161764dae6ed2dec5f7d8a39c3');
INSERT INTO public.log VALUES (67, 'host.status', '127.91.0.1', '', '', '', '2026-11-16T09:00:52.177000', 'restarted', '127.91.0.1', NULL, '{"from":"unreachable","to":"active"}', '49dd26930f0fdb944b585b64a1ca3af5db84985bdc5a3939576b1d1d4831efed');
INSERT INTO public.log VALUES (68, 'cluster.status', 'restarted', '', '', '', '2026-11-16T09:00:52.177000', 'restarted', NULL, NULL, '{"from":"degraded","to":"ok"}', 'e7c8ee352ef1a705966b7160e23e8604264af32f53726224ca341c71956caf3b');
INSERT INTO public.log VALUES (39, 'host.created', '127.91.0.1', 'admin', '127.0.0.1', '3daf5a041f8f-41', '2026-11-16T09:00:47.499000', 'restarted', '127.91.0.1', NULL, '{"remote_user":"root"}', 'b0924a696d0b674ebf9426076fe8f75c9b117a93c57dbe618b6afcc83bb80952');
INSERT INTO public.log VALUES (40, 'cluster.members', 'restarted', 'admin', '127.0.0.1', '3daf5a041f8f-41', '2026-11-16T09:00:47.499000', 'restarted', NULL, NULL, '{"joined":["127.91.0.1"],"left":[]}', 'd3eec74c8a7fd2d6e9ddc8c1000944401542d841e96d5f162c2cd45302cca0d1');
INSERT INTO public.log VALUES (41, 'host.created', '127.91.0.2', 'admin', '127.0.0.1', '3daf5a041f8f-42', '2026-11-16T09:00:47.534000', 'restarted', '127.91.0.2', NULL, '{"remote_user":"root"}', '20921200f61cbedb488c8a28e1a22d222c2955936d0280a2efed0ea51b77c540');
INSERT INTO public.log VALUES (42, 'cluster.members', 'restarted', 'admin', '127.0.0.1', '3daf5a041f8f-42', '2026-11-16T09:00:47.534000', 'restarted', NULL, NULL, '{"joined":["127.91.0.2"],"left":[]}', 'a9ff6e2cfc27cf53e723aaefd6381c532b7ad0797c3b7590e941885d79f97d49');
INSERT INTO public.log VALUES (43, 'cluster.status', 'restarted', '', '', '', '2026-11-16T09:00:47.534000', 'restarted', NULL, NULL, '{"from":"ok","to":"degraded"}', 'adca991cb34db0c75dbbf126185247777e6b6d91e15a56174726c726a9f161c8');
INSERT INTO public.log VALUES (44, 'host.created', '127.91.0.3', 'admin', '127.0.0.1', '3daf5a041f8f-43', '2026-11-16T09:00:47.583000', 'restarted', '127.91.0.3', NULL, '{"remote_user":"root"}', 'a4110dc13a4124cc4c72ca344290c5f656650bd3413878dfa1f7616ad53a2fd4');
INSERT INTO public.log VALUES (45, 'cluster.members', 'restarted', 'admin', '127.0.0.1', '3daf5a041f8f-43', '2026-11-16T09:00:47.583000', 'restarted', NULL, NULL, '{"joined":["127.91.0.3"],"left":[]}', '88511f635f2141c7ce63f3d64bfc16fb42ec4e0813b408c405cc57bb565cc49d');
INSERT INTO public.log VALUES (46, 'host.status', '127.91.0.1', '', '', '', '2026-11-16T09:00:47.652000', 'restarted', '127.91.0.1', NULL, '{"from":"investigating","to":"bootstrapping"}', '8fb2ee1571cec7d189b12aa8cfaf6f3dca774dcdc94132f15f0c0c1e593d95a1');
INSERT INTO public.log VALUES (69, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:52.347000', 'restarted', '127.91.0.2', 'IpO-wgO7Zg-lbMQS', '{"state":"armed","attempt":1}', '7fd02eefeb52ee65eac707ec31e1a41d55e6217802119dc2811388360f63a575');
INSERT INTO public.log VALUES (53, 'operation.started', 'IpO-wgO7Zg-lbMQS', 'admin', '127.0.0.1', '3daf5a041f8f-4o', '2026-11-16T09:00:48.334000', 'restarted', NULL, 'IpO-wgO7Zg-lbMQS', '{"kind":"restart","hosts":3}', '72b5b3b5073ed71fefb626f7a603f7bd2f1b8d989d13a174203aed52b8861caa');
INSERT INTO public.log VALUES (54, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.491000', 'restarted', '127.91.0.1', 'IpO-wgO7Zg-lbMQS', '{"state":"preflight","attempt":1}', '638f02fa715f08f7a84d8ed77068cdc9f91655c97b5d190200c7ebefeb88009a');
INSERT INTO public.log VALUES (55, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.491000', 'restarted', '127.91.0.2', 'IpO-wgO7Zg-lbMQS', '{"state":"preflight","attempt":1}', '17db91622b50004ab038971c479104940618b6337fcedf73f8c8417d02e99254');
INSERT INTO public.log VALUES (56, 'operation.state', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.491000', 'restarted', NULL, 'IpO-wgO7Zg-lbMQS', '{"state":"running"}', 'cc95f88a195b8bfa027154519ae00b5b0d7092c7a984bd768153a84d877c6982');
INSERT INTO public.log VALUES (61, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.901000', 'restarted', '127.91.0.1', 'IpO-wgO7Zg-lbMQS', '{"state":"armed","attempt":1}', '514139bcf4e2609f37ff2085a6b4ee481f22ecaedfeb83c17e4994349bc22cb4');
INSERT INTO public.log VALUES (57, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:48.636000', 'restarted', '127.91.0.3', 'IpO-wgO7Zg-lbMQS', '{"state":"preflight","attempt":1}', '33038ee266c85acea4f30eadc349875b6122261e846fc60ab56c1fcff6aa0a24');
INSERT INTO public.log VALUES (65, 'operation.host', 'IpO-wgO7Zg-lbMQS', '', '', '', '2026-11-16T09:00:50.996000', 'restarted', '127.91.0.1', 'IpO-wgO7Zg-lbMQS', '{"state":"verifying","attempt":1}', '31dc2142b5bbda63945391e514f243a0df3bd7b8d657487688967b2c10e21816');
INSERT INTO public.log VALUES (70, 'container_manager.created', 'nodes', 'admin', '127.0.0.1', '10926a4a52e1-1', '2026-11-16T09:00:53.390000', NULL, NULL, NULL, '{"type":"k3s"}', '727880ad859cceee40799ce8ffb0ede15445b917c3ff82ef2d9a6b96a5ae4469');
INSERT INTO public.log VALUES (71, 'container_manager.created', 'plain', 'admin', '127.0.0.1', '10926a4a52e1-2', '2026-11-16T09:00:53.417000', NULL, NULL, NULL, '{"type":"trivial"}', 'cfb6cb44938f8526411dad3d4d6401dd1ee27e526103fa4667967cf85923de91');
INSERT INTO public.log VALUES (72, 'network.created', 'lab', 'admin', '127.0.0.1', '10926a4a52e1-3', '2026-11-16T09:00:53.451000', NULL, NULL, NULL, '{"type":"none"}', '6042bb7e57ac8ca0a63e3f14aacaa6ecfee1718608860b0d0787485d59bbdff1');
INSERT INTO public.log VALUES (73, 'cluster.created', 'still', 'admin', '127.0.0.1', '10926a4a52e1-4', '2026-11-16T09:00:53.494000', 'still', NULL, NULL, '{"network":"lab","container_manager":"plain"}', '7efcb67fad381a92f489af517d2595968a656ac5d64acb82817e49a32269a199');
INSERT INTO public.log VALUES (74, 'cluster.policy', 'still', 'admin', '127.0.0.1', '10926a4a52e1-5', '2026-11-16T09:00:53.507000', 'still', NULL, NULL, '{}', '99ad0cb028de76981ccc1f26ba2303b0f4bc89f533dfa256c933a499c6252f27');
INSERT INTO public.log VALUES (75, 'account.created', 'vera', 'admin', '127.0.0.1', '10926a4a52e1-6', '2026-11-16T09:00:53.677000', NULL, NULL, NULL, '{"role":"viewer"}', 'fc11ef8eb0e65ba55f94a70237092e00ad91a044b51fc9045406c76dae71c82d');
INSERT INTO public.log VALUES (76, 'account.created', 'otto', 'admin', '127.0.0.1', '10926a4a52e1-7', '2026-11-16T09:00:53.900000', NULL, NULL, NULL, '{"role":"operator"}', '50b161bd3a4c1490f43025c0db71fea16ed3536f81c5576d5210bcf6f29e0916');
INSERT INTO public.log VALUES (77, 'webhook.created', 'chat', 'admin', '127.0.0.1', '10926a4a52e1-8', '2026-11-16T09:00:53.984000', NULL, NULL, NULL, '{"events":["log.cut"]}', '7fb4122ea04dc7decf399093ecb99619b211f31391e5d0c2df97d94c4ebf71a5');
INSERT INTO public.log VALUES (78, 'token.created', 'racks', 'admin', '127.0.0.1', '10926a4a52e1-9', '2026-11-16T09:00:54.008000', 'still', NULL, NULL, '{"cluster":"still","cidr":"","uses":5,"expires_at":"2026-11-17T09:00:54.006000"}', 'a87711537232b440e658c026ae414c7685799b2748c14ab3aba334edaa9614db');
INSERT INTO public.log VALUES (79, 'host.created', '127.93.0.1', 'admin', '127.0.0.1', '10926a4a52e1-a', '2026-11-16T09:00:54.072000', 'still', '127.93.0.1', NULL, '{"remote_user":"core"}', '91d81de07f74ea5532a026dfe7ecaa841caa95cb84c6e74daf9801ec9d986a3a');
INSERT INTO public.log VALUES (80, 'cluster.members', 'still', 'admin', '127.0.0.1', '10926a4a52e1-a', '2026-11-16T09:00:54.072000', 'still', NULL, NULL, '{"joined":["127.93.0.1"],"left":[]}', '6500054f2292f8901ae650a19ee48d3cab710ec74b9cf39de6ebe55558737607');
INSERT INTO public.log VALUES (81, 'cluster.status', 'still', '', '', '', '2026-11-16T09:00:54.072000', 'still', NULL, NULL, '{"from":"ok","to":"degraded"}', '8d28ceb2aa9bcacc177b645e36f9cdfa1a3156d3c321fccf4ec5213d412601d8');
INSERT INTO public.log VALUES (82, 'host.created', '127.93.0.2', 'admin', '127.0.0.1', '10926a4a52e1-b', '2026-11-16T09:00:54.117000', 'still', '127.93.0.2', NULL, '{"remote_user":"core"}', '37ba94c90e8c3e0472ca475fa41f46fc736282f375bba3734651d58f1027a2cb');
INSERT INTO public.log VALUES (83, 'cluster.members', 'still', 'admin', '127.0.0.1', '10926a4a52e1-b', '2026-11-16T09:00:54.117000', 'still', NULL, NULL, '{"joined":["127.93.0.2"],"left":[]}', '74b40182b3676e267e19da776fa56c2561ca10140a87ca0a1bac4b576cd85b55');
INSERT INTO public.log VALUES (84, 'host.created', '127.93.0.3', 'admin', '127.0.0.1', '10926a4a52e1-c', '2026-11-16T09:00:54.166000', 'still', '127.93.0.3', NULL, '{"remote_user":"core"}', 'ae880e4571fb59b02adff423ab520d9cf2db6d0ab9d867fa4f5b89aebffac714');
INSERT INTO public.log VALUES (85, 'cluster.members', 'still', 'admin', '127.0.0.1', '10926a4a52e1-c', '2026-11-16T09:00:54.166000', 'still', NULL, NULL, '{"joined":["127.93.0.3"],"left":[]}', 'a81adce446a1ddb547e72e2f08f901e91d1d578de95b7ff061fcc37fde406d7d');
INSERT INTO public.log VALUES (86, 'host.created', '127.93.0.4', 'admin', '127.0.0.1', '10926a4a52e1-d', '2026-11-16T09:00:54.214000', NULL, '127.93.0.4', NULL, '{"remote_user":"core"}', '55e900f3e75d89e03fe86e5331542b3fd074dce74b205d8bd8226979889011db');
INSERT INTO public.log VALUES (87, 'host.created', '127.93.0.5', 'admin', '127.0.0.1', '10926a4a52e1-e', '2026-11-16T09:00:54.253000', 'still', '127.93.0.5', NULL, '{"remote_user":"core"}', '4360c8fab4ad672b89e2df1a6348d8e9d0cc7a2710bde9b7ab9d8785cae5ae92');
INSERT INTO public.log VALUES (88, 'cluster.members', 'still', 'admin', '127.0.0.1', '10926a4a52e1-e', '2026-11-16T09:00:54.253000', 'still', NULL, NULL, '{"joined":["127.93.0.5"],"left":[]}', '231c4d86599a462f5366baaf014e38ba12d68204435e6a3a999cfa8ea48f0094');
INSERT INTO public.log VALUES (89, 'host.created', '127.93.0.6', 'admin', '127.0.0.1', '10926a4a52e1-f', '2026-11-16T09:00:54.303000', 'still', '127.93.0.6', NULL, '{"remote_user":"core"}', '8ec0101350113d00bf53f15d2cef211174e541120818cb6e81a6fd59a1c28347');
INSERT INTO public.log VALUES (90, 'cluster.members', 'still', 'admin', '127.0.0.1', '10926a4a52e1-f', '2026-11-16T09:00:54.303000', 'still', NULL, NULL, '{"joined":["127.93.0.6"],"left":[]}', '46b67dc49cac1af5d2d352a9192081a777e365c1aa6d53e3133c697d54ca6075');
INSERT INTO public.log VALUES (91, 'host.labels', '127.93.0.1', 'admin', '127.0.0.1', '10926a4a52e1-g', '2026-11-16T09:00:54.348000', 'still', '127.93.0.1', NULL, '{"labels":{"rack":"r1","ring":"first"}}', '974bc33b0b63d6b87177ef66d93a0756f55142b1f475f4e3bd8b08a09c4af551');
INSERT INTO public.log VALUES (92, 'host.maintenance', '127.93.0.1', 'admin', '127.0.0.1', '10926a4a52e1-h', '2026-11-16T09:00:54.375000', 'still', '127.93.0.1', NULL, '{"on":true,"reason":"a new disk"}', '88ad154e56e23cfdbeebe38917d834536a1e58e0b089ffed7f5b8398a061ad72');
INSERT INTO public.log VALUES (93, 'account.signed_in', 'admin', 'admin', '127.0.0.1', '10926a4a52e1-i', '2026-11-16T09:00:54.400000', NULL, NULL, NULL, '{"session":"Sg8zrB7aV-lYu8VN","expires_at":"2026-11-16T17:00:54.395000"}', 'f711664a10c1c8e293adc1d13adee37cf62b66b7650d0b8797df2c0a33c9f0e6');
INSERT INTO public.log VALUES (94, 'container_manager.secrets_read', 'nodes', 'admin', '127.0.0.1', '10926a4a52e1-x', '2026-11-16T09:00:54.582000', NULL, NULL, NULL, '{}', '77862aa21f966b8c4975975dbad8004424828064629113f96c4b72fee08af8ef');
INSERT INTO public.log VALUES (95, 'host.credentials_read', '127.93.0.1', 'admin', '127.0.0.1', '10926a4a52e1-17', '2026-11-16T09:00:54.679000', NULL, '127.93.0.1', NULL, '{}', 'c0bdb32355c9c56c2d35b2801ea3f6a06cc1c185c1c812b7d551a7b53f7e432d');
INSERT INTO public.log VALUES (96, 'host.credentials_read', '127.93.0.2', 'admin', '127.0.0.1', '10926a4a52e1-1b', '2026-11-16T09:00:54.720000', NULL, '127.93.0.2', NULL, '{}', '5fcfcbadef558bb6ac673d7622767e85e1704f66cc590aef8d181831bc6fe24e');
INSERT INTO public.log VALUES (97, 'host.credentials_read', '127.93.0.3', 'admin', '127.0.0.1', '10926a4a52e1-1f', '2026-11-16T09:00:54.770000', NULL, '127.93.0.3', NULL, '{}', 'f6618718471eeb0e112d3b836095c52cdc9fdc8bb99acb1c9c7ea34d5de5dbb2');
INSERT INTO public.log VALUES (98, 'host.credentials_read', '127.93.0.4', 'admin', '127.0.0.1', '10926a4a52e1-1j', '2026-11-16T09:00:54.795000', NULL, '127.93.0.4', NULL, '{}', '141a9a84fae3fcda54ed15a5f0a32837caf3ce4cbe40f188c7318497eb35c409');
INSERT INTO public.log VALUES (99, 'host.credentials_read', '127.93.0.5', 'admin', '127.0.0.1', '10926a4a52e1-1n', '2026-11-16T09:00:54.820000', NULL, '127.93.0.5', NULL, '{}', '55cf7021b11fe028b6e338f32f253801aaac09d39e94ea9ffe149d2698f40232');
INSERT INTO public.log VALUES (100, 'host.credentials_read', '127.93.0.6', 'admin', '127.0.0.1', '10926a4a52e1-1r', '2026-11-16T09:00:54.847000', NULL, '127.93.0.6', NULL, '{}', 'af2a6e9b7b4c8729ea19a650b033cb5309c702f0dafc80868e42b728f7458127');


--
-- Data for Name: log_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.log_keys VALUES (1, 'v1.2bdc029d.TCn4XcRB2l3DIxurswHagYFZmldhNrdz3J1v5ZL7pKc/ut7+lhP7GI0WJpJybg50LnMvj+fjCtQsQ33YCEFIiRM+cvBa0L0i');


--
-- Data for Name: log_state; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.log_state VALUES (1, 100, 'af2a6e9b7b4c8729ea19a650b033cb5309c702f0dafc80868e42b728f7458127', 1, 1, NULL);


--
-- Data for Name: operation_hosts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operation_hosts VALUES ('JP1BlzCHuaTTZArh', '127.92.0.2', 'HjNH7mV9gD0ZS6Os', 1, 0, 'done', 0, 0, NULL, 0, 0, 1, NULL, 0, '', '{"os_driver":"apt"}', '[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:43.827000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:43.940000"},{"phase":"applying","attempt":1,"at":"2026-11-16T09:00:44.045000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:44.184000"},{"phase":"rebooting","attempt":1,"at":"2026-11-16T09:00:44.349000"},{"phase":"verifying","attempt":1,"at":"2026-11-16T09:00:46.096000"},{"phase":"done","attempt":1,"at":"2026-11-16T09:00:47.233000"}]', '2026-11-16T09:00:43.827000', '2026-11-16T09:00:47.233000');
INSERT INTO public.operation_hosts VALUES ('JP1BlzCHuaTTZArh', '127.92.0.1', 'tgA9hTIqpdMeEos1', 0, 0, 'done', 0, 0, NULL, 0, 0, 1, NULL, 0, '', '{"os_driver":"apt"}', '[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:43.827000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:43.935000"},{"phase":"applying","attempt":1,"at":"2026-11-16T09:00:44.045000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:44.203000"},{"phase":"rebooting","attempt":1,"at":"2026-11-16T09:00:44.404000"},{"phase":"verifying","attempt":1,"at":"2026-11-16T09:00:45.681000"},{"phase":"done","attempt":1,"at":"2026-11-16T09:00:46.825000"}]', '2026-11-16T09:00:43.827000', '2026-11-16T09:00:46.825000');
INSERT INTO public.operation_hosts VALUES ('IpO-wgO7Zg-lbMQS', '127.91.0.3', 'wpoNcWZkJT3Dj2QF', 2, 0, 'staging', 1, 0, NULL, 0, 0, 1, NULL, 0, '', '{"os_driver":"apt"}', '[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:48.636000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:48.803000"}]', '2026-11-16T09:00:48.636000', NULL);
INSERT INTO public.operation_hosts VALUES ('IpO-wgO7Zg-lbMQS', '127.91.0.1', 'JmGGOz3iEZxkmjha', 0, 0, 'done', 0, 0, NULL, 0, 0, 1, NULL, 0, '', '{"os_driver":"apt"}', '[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:48.491000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:48.724000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:48.901000"},{"phase":"rebooting","attempt":1,"at":"2026-11-16T09:00:49.138000"},{"phase":"verifying","attempt":1,"at":"2026-11-16T09:00:50.996000"},{"phase":"done","attempt":1,"at":"2026-11-16T09:00:52.177000"}]', '2026-11-16T09:00:48.491000', '2026-11-16T09:00:52.177000');
INSERT INTO public.operation_hosts VALUES ('IpO-wgO7Zg-lbMQS', '127.91.0.2', 'da-zNVDnx9tRvP-U', 1, 0, 'armed', 0, 0, NULL, 0, 0, 1, NULL, 0, '', '{"os_driver":"apt"}', '[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:48.491000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:48.717000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:52.347000"}]', '2026-11-16T09:00:48.491000', NULL);


--
-- Data for Name: operation_output; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operation_output VALUES ('JP1BlzCHuaTTZArh', '127.92.0.1', 1, 'stage', 'Hit:1 http://deb.example.org stable InRelease
Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode
', 'Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode', '2026-11-16T09:00:43.957000');
INSERT INTO public.operation_output VALUES ('JP1BlzCHuaTTZArh', '127.92.0.2', 1, 'stage', 'Hit:1 http://deb.example.org stable InRelease
Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode
', 'Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode', '2026-11-16T09:00:43.958000');
INSERT INTO public.operation_output VALUES ('JP1BlzCHuaTTZArh', '127.92.0.2', 1, 'apply', 'Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...
', 'Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...', '2026-11-16T09:00:44.184000');
INSERT INTO public.operation_output VALUES ('JP1BlzCHuaTTZArh', '127.92.0.1', 1, 'apply', 'Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...
', 'Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...', '2026-11-16T09:00:44.203000');


--
-- Data for Name: operations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (1, 'JP1BlzCHuaTTZArh', 'upgrade', 'upgraded', '', '{"maxUnavailable":2,"canary":0,"ramp":false,"maxFailures":0,"onFailure":"fail","hosts":null,"labels":[],"order":"address","stageParallel":20,"check":null,"minHealthyS":1,"window":null,"reboot":"if_needed","drain":null,"timeouts":{"stageS":1800,"applyS":1800,"rebootS":900,"readyS":600}}', '{"maxUnavailable":2,"minHealthyS":1}', 'finished', NULL, '', 2, 0, NULL, '[]', 'admin', '2026-11-16T09:00:43.688000', '2026-11-16T09:00:47.398000', 0, 0, NULL);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (2, 'IpO-wgO7Zg-lbMQS', 'restart', 'restarted', '', '{"maxUnavailable":1,"canary":0,"ramp":false,"maxFailures":0,"onFailure":"fail","hosts":null,"labels":[],"order":"address","stageParallel":20,"check":null,"minHealthyS":1,"window":null,"reboot":"always","drain":null,"timeouts":{"stageS":1800,"applyS":1800,"rebootS":900,"readyS":600}}', '{"maxUnavailable":1,"minHealthyS":1}', 'running', NULL, '', 3, 0, NULL, '[]', 'admin', '2026-11-16T09:00:48.334000', NULL, 1, 0, 1794819682315);


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: servers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: service_identity; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.service_identity VALUES (1, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOAkxHXAcQ/D8xE/143OAgU+92N/jgMMTwhY+DIg7+kP hostler', 'v1.2bdc029d.M3rG2XsulTg1axXmRKMsBqATKeEhLGi/dZ1b0TKF9Ym9SToU6k2Qzj93D4mi+cla5OPk2Z6QWvQaHRINCS3iIgPKqbnhIduHuoAudSiNqFwN6OKk5JpCJKIEo0wszFSrPhu9pJbS8ODcyZQ/4AhHC7TlEkYKoYaXEjpEacMOy6cLUOJkECzNa9qQSYvd3d6vggIgEL0SBSgLetVPbmuUesN4xpP6yYnSMzzXCVGIAlv6+16bZjGDzMmJfhivyUb7hcwi8C1MEiLdvBupKoLQLw60Mq4Gx8v4PI97rWTPLwq+1F+tU71h2EmE4dYyBLZz3TVDfhAT6wV/G8beGw5umOR6FjW4aNJPp+/qVxNwz7vkhwkEJWL+dn0OWwxjMgDuY5IpOvIfD0tc1ka8432xc0KfzDsXukzZkgdW5Mt2guiahaUxU958gdzTsMwrsugHiolrzq9ebj5cGRVgAqQy4M+WjPD51ieryJ10teAsoNWf10f5se5+mTpItl7V3ekhJsSec+4YpoOqexzn34F1O0Wkm8P5nt+Y4aLRziSSu15OaelED8W8sdFccw==');


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES ('Sg8zrB7aV-lYu8VN', '65f7abc65a33eaccf752fb53106c1b087f4159a56c132fd21edc8de2b0dac0a6', 'admin', 'sK5XuwxKmUbqeKLO', '2026-11-16T09:00:54.395000', '2026-11-16T17:00:54.395000');


--
-- Data for Name: source_reads; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: switches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhooks VALUES ('chat', 'v1.2bdc029d.zosplPoh5bAjrM0IZFe3+Rc2/DCvfKOEiEhGM4gXYjr6lLHIYnzZrlDMmyKPdlhUbf4ppMms', 'v1.2bdc029d.XO9+AtemOULOlhgT4qbwwMJf46IY5ntSC+zE2vh7OW/0VwT5AmDPbAH8nXUO74aNwB/O', '["log.cut"]', 'uETXCBp5s0e4E2kE', '2026-11-16T09:00:53.984000', 76, 0, 0, NULL, '', NULL, NULL, NULL, 0, 1794819653985);


--
-- Data for Name: work; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (14, 'roll', '127.91.0.2', 'da-zNVDnx9tRvP-U', '{"prepared":{"os_driver":"apt"},"operation":"IpO-wgO7Zg-lbMQS","operationKind":"restart","cluster":"restarted","version":"","policy":{"drain":null,"reboot":"always","check":null,"timeouts":{"stageS":1800,"applyS":1800,"rebootS":900,"readyS":600},"minHealthyS":1},"attempt":1}', '2026-11-16T09:00:52.347000', '{}', 0, 'IpO-wgO7Zg-lbMQS');
INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (15, 'bootstrap', '127.93.0.1', 'AKEIfZP_tQHzUxf5', '{}', '2026-11-16T09:00:54.072000', '{}', 0, NULL);
INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (16, 'bootstrap', '127.93.0.2', 'Pn2b0inRzWz8qq8q', '{}', '2026-11-16T09:00:54.117000', '{}', 0, NULL);
INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (17, 'bootstrap', '127.93.0.3', 'Scy-UPsRjuBKdAyk', '{}', '2026-11-16T09:00:54.166000', '{}', 0, NULL);
INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (18, 'bootstrap', '127.93.0.4', 'mDKr5GLcizY9DMHH', '{}', '2026-11-16T09:00:54.214000', '{}', 0, NULL);
INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (19, 'bootstrap', '127.93.0.5', 'aMtjzaDzqOLP4RSM', '{}', '2026-11-16T09:00:54.253000', '{}', 0, NULL);
INSERT INTO public.work OVERRIDING SYSTEM VALUE VALUES (20, 'bootstrap', '127.93.0.6', '7xE7jlB5PVmLuANY', '{}', '2026-11-16T09:00:54.303000', '{}', 0, NULL);


--
-- Name: operations_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.operations_number_seq', 2, true);


--
-- Name: outbox_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.outbox_id_seq', 89, true);


--
-- Name: work_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.work_id_seq', 20, true);


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (name);


--
-- Name: agenda agenda_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agenda
    ADD CONSTRAINT agenda_pkey PRIMARY KEY (host);


--
-- Name: cluster_policies cluster_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cluster_policies
    ADD CONSTRAINT cluster_policies_pkey PRIMARY KEY (cluster);


--
-- Name: cluster_statuses cluster_statuses_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cluster_statuses
    ADD CONSTRAINT cluster_statuses_pkey PRIMARY KEY (cluster);


--
-- Name: clusters clusters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.clusters
    ADD CONSTRAINT clusters_pkey PRIMARY KEY (name);


--
-- Name: data_keys data_keys_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_id_key UNIQUE (id);


--
-- Name: data_keys data_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_pkey PRIMARY KEY ("position");


--
-- Name: driver_memory driver_memory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.driver_memory
    ADD CONSTRAINT driver_memory_pkey PRIMARY KEY (scope, key);


--
-- Name: driver_records driver_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.driver_records
    ADD CONSTRAINT driver_records_pkey PRIMARY KEY (kind, name);


--
-- Name: enrolment_tokens enrolment_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enrolment_tokens
    ADD CONSTRAINT enrolment_tokens_pkey PRIMARY KEY (name);


--
-- Name: enrolment_tokens enrolment_tokens_secret_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enrolment_tokens
    ADD CONSTRAINT enrolment_tokens_secret_digest_key UNIQUE (secret_digest);


--
-- Name: host_access host_access_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_access
    ADD CONSTRAINT host_access_pkey PRIMARY KEY (host);


--
-- Name: host_labels host_labels_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_labels
    ADD CONSTRAINT host_labels_pkey PRIMARY KEY (host, key);


--
-- Name: hosts hosts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_pkey PRIMARY KEY (address);


--
-- Name: hosts hosts_sort_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_sort_key_key UNIQUE (sort_key);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (cluster, key);


--
-- Name: kysely_migration_lock kysely_migration_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);


--
-- Name: kysely_migration kysely_migration_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);


--
-- Name: log_keys log_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_keys
    ADD CONSTRAINT log_keys_pkey PRIMARY KEY (id);


--
-- Name: log log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (id);


--
-- Name: log_state log_state_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_state
    ADD CONSTRAINT log_state_pkey PRIMARY KEY (id);


--
-- Name: operation_hosts operation_hosts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operation_hosts
    ADD CONSTRAINT operation_hosts_pkey PRIMARY KEY (operation, host);


--
-- Name: operation_output operation_output_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operation_output
    ADD CONSTRAINT operation_output_pkey PRIMARY KEY (operation, host, attempt, step);


--
-- Name: operations operations_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_id_key UNIQUE (id);


--
-- Name: operations operations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (number);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);


--
-- Name: servers servers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.servers
    ADD CONSTRAINT servers_pkey PRIMARY KEY (incarnation);


--
-- Name: service_identity service_identity_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.service_identity
    ADD CONSTRAINT service_identity_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_secret_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_secret_digest_key UNIQUE (secret_digest);


--
-- Name: source_reads source_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.source_reads
    ADD CONSTRAINT source_reads_pkey PRIMARY KEY (source);


--
-- Name: switches switches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_pkey PRIMARY KEY (name);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (name);


--
-- Name: work work_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.work
    ADD CONSTRAINT work_pkey PRIMARY KEY (id);


--
-- Name: agenda_by_check; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agenda_by_check ON public.agenda USING btree (check_due_at) WHERE (check_due_at IS NOT NULL);


--
-- Name: agenda_by_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agenda_by_owner ON public.agenda USING btree (owner) WHERE (owner IS NOT NULL);


--
-- Name: agenda_by_work; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agenda_by_work ON public.agenda USING btree (work_due_at) WHERE (work_due_at IS NOT NULL);


--
-- Name: clusters_by_container_manager; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX clusters_by_container_manager ON public.clusters USING btree (container_manager);


--
-- Name: clusters_by_network; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX clusters_by_network ON public.clusters USING btree (network);


--
-- Name: hosts_by_cluster; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX hosts_by_cluster ON public.hosts USING btree (cluster, status, in_maintenance);


--
-- Name: hosts_by_label; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX hosts_by_label ON public.host_labels USING btree (key, value, host);


--
-- Name: hosts_by_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX hosts_by_source ON public.hosts USING btree (source, sort_key) WHERE (source <> ''::text);


--
-- Name: hosts_by_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX hosts_by_status ON public.hosts USING btree (status, sort_key);


--
-- Name: hosts_never_told; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX hosts_never_told ON public.hosts USING btree (source, sort_key) WHERE ((source <> ''::text) AND (is_told = 0));


--
-- Name: keys_of_operations; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX keys_of_operations ON public.idempotency_keys USING btree (operation);


--
-- Name: log_by_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX log_by_actor ON public.log USING btree (actor, id) WHERE (actor <> ''::text);


--
-- Name: log_by_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX log_by_subject ON public.log USING btree (subject, id);


--
-- Name: log_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX log_by_time ON public.log USING btree (at);


--
-- Name: members_in_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_in_order ON public.hosts USING btree (cluster, sort_key);


--
-- Name: open_operations; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX open_operations ON public.operations USING btree (cluster) WHERE (is_open = 1);


--
-- Name: operation_hosts_by_phase; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operation_hosts_by_phase ON public.operation_hosts USING btree (operation, phase, is_staged, is_control_plane, "position");


--
-- Name: operation_hosts_in_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operation_hosts_in_order ON public.operation_hosts USING btree (operation, "position");


--
-- Name: operations_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_due ON public.operations USING btree (due_at) WHERE (is_open = 1);


--
-- Name: operations_ended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_ended ON public.operations USING btree (finished_at) WHERE (finished_at IS NOT NULL);


--
-- Name: operations_of_cluster; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_of_cluster ON public.operations USING btree (cluster, kind, number);


--
-- Name: operations_of_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_of_host ON public.operation_hosts USING btree (host, operation);


--
-- Name: sessions_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_account ON public.sessions USING btree (account, created_at);


--
-- Name: sessions_by_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_end ON public.sessions USING btree (expires_at);


--
-- Name: work_by_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX work_by_host ON public.work USING btree (host, id);


--
-- Name: work_of_operations; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX work_of_operations ON public.work USING btree (operation, host) WHERE (operation IS NOT NULL);


--
-- Name: log log_is_not_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON public.log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_in_log('the log is never changed');


--
-- Name: log log_is_not_emptied; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER log_is_not_emptied BEFORE TRUNCATE ON public.log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_in_log('only what was cut off leaves the log');


--
-- Name: log log_is_only_cut; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER log_is_only_cut BEFORE DELETE ON public.log FOR EACH ROW EXECUTE FUNCTION public.refuse_uncut_in_log('only what was cut off leaves the log');


--
-- Name: cluster_policies cluster_policies_cluster_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cluster_policies
    ADD CONSTRAINT cluster_policies_cluster_fkey FOREIGN KEY (cluster) REFERENCES public.clusters(name) ON DELETE CASCADE;


--
-- Name: host_access host_access_host_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_access
    ADD CONSTRAINT host_access_host_fkey FOREIGN KEY (host) REFERENCES public.hosts(address);


--
-- Name: host_labels host_labels_host_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_labels
    ADD CONSTRAINT host_labels_host_fkey FOREIGN KEY (host) REFERENCES public.hosts(address);


--
-- Name: hosts hosts_cluster_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_cluster_fkey FOREIGN KEY (cluster) REFERENCES public.clusters(name);


--
-- PostgreSQL database dump complete
--




update sessions set expires_at = '2999-01-01T00:00:00.000000';
update enrolment_tokens set expires_at = '2999-01-01T00:00:00.000000';
