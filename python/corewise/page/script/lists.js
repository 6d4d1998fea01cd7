// The page's tables: ranks, pairs, MPI calls, and who waits for whom.

/** @typedef {import("./types").PageData} PageData */
/** @typedef {import("./types").Table} Table */
/** @typedef {import("./types").Column} Column */
import { partnersOf, ranges } from "./data.js";

const MOST_PAIRS = 1000;

/** The tables that have rows; those of ranks and pairs need traffic by rank. @param {PageData} data @returns {Table[]} */
export function tablesOf(data) {
  const { summary, traffic } = data;
  const tables = traffic.block > 1 ? [] : [rankTable(data), pairTable(data)];
  if (summary?.calls.length) tables.push(callTable(summary.calls));
  if (summary?.ranks.length) tables.push(timeTable(summary.ranks));
  if (summary?.waits.length) tables.push(waitTable(summary.waits));
  return tables;
}

/** @template T @param {string} name @param {Column["kind"]} kind @param {T[]} rows @param {(row: T) => string | number} value */
function column(name, kind, rows, value) {
  return { name, kind, values: rows.map(value) };
}

/** A row for each rank, most bytes first: traffic in both directions, partners, and places. @param {PageData} data @returns {Table} */
function rankTable(data) {
  const { placements, traffic } = data;
  const several = data.machine.shape_of_node.length > 1;
  const partners = partnersOf(traffic);
  const messages = new Float64Array(traffic.n_ranks);
  traffic.src.forEach((src, i) => {
    for (const rank of [src, traffic.dst[i] ?? 0]) messages[rank] = (messages[rank] ?? 0) + (traffic.messages[i] ?? 0);
  });
  const bytes = (/** @type {number} */ rank, include = (/** @type {number} */ _) => true) =>
    [...(partners[rank] ?? [])].reduce((sum, [partner, sent]) => sum + (include(partner) ? sent : 0), 0);
  const totals = partners.map((_, rank) => bytes(rank));
  const ranks = totals.map((_, rank) => rank).sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || a - b);
  const columns = [
    column("rank", "rank", ranks, (rank) => rank),
    column("bytes", "bytes", ranks, (rank) => totals[rank] ?? 0),
    column("messages", "count", ranks, (rank) => messages[rank] ?? 0),
    column("partners", "count", ranks, (rank) => partners[rank]?.size ?? 0),
  ];
  for (const { name, node, cores } of placements) {
    const core = (/** @type {number} */ rank) => `core ${ranges(cores[rank] ?? [])}`;
    columns.push(column(name, "place", ranks, (rank) => (several ? `node ${node[rank]}, ${core(rank)}` : core(rank))));
    if (!several) continue;
    columns.push(column(`${name}: to other nodes`, "bytes", ranks, (rank) => bytes(rank, (partner) => node[partner] !== node[rank])));
  }
  const title = "Ranks: what each sends and receives, and its core under each placement (logical indices)";
  return { name: "ranks", title, columns };
}

/** The ordered pairs with most bytes, and how near each placement puts them. @param {PageData} data @returns {Table} */
function pairTable({ machine, placements, traffic: { src, dst, bytes, messages } }) {
  const all = bytes.reduce((sum, one) => sum + one, 0) || 1;
  const pairs = bytes.map((_, i) => i).sort((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0) || a - b).slice(0, MOST_PAIRS);
  const columns = [
    column("from rank", "rank", pairs, (i) => src[i] ?? 0),
    column("to rank", "partner", pairs, (i) => dst[i] ?? 0),
    column("bytes", "bytes", pairs, (i) => bytes[i] ?? 0),
    column("messages", "count", pairs, (i) => messages[i] ?? 0),
    column("share of all bytes", "share", pairs, (i) => (bytes[i] ?? 0) / all),
  ];
  const names = ["core", ...machine.levels];
  for (const placement of placements) {
    columns.push(column(placement.name, "text", pairs, (i) => `in one ${names[meeting(machine, placement, src[i] ?? 0, dst[i] ?? 0)]}`));
  }
  return { name: "pairs", title: "Pairs of ranks with most bytes", columns };
}

/** The level of the smallest object that has the first cores of both ranks; 0 is one core.
 * @param {import("./types").MachineData} machine @param {import("./types").Placement} placement @param {number} a @param {number} b */
function meeting(machine, { node, cores }, a, b) {
  const [from = 0, to = 0] = [node[a], node[b]];
  const [core = 0, other = 0] = [cores[a]?.[0], cores[b]?.[0]];
  if (from === to) {
    if (core === other) return 0;
    const groups = machine.shapes[machine.shape_of_node[from] ?? 0]?.groups ?? [];
    const k = groups.findIndex((group) => group[core] === group[other]);
    return k < 0 ? machine.node_level : k + 1;
  }
  const { node_order: order } = machine;
  let [x, y] = order.length ? [order.indexOf(from), order.indexOf(to)] : [from, to];
  let level = machine.node_level;
  for (const parents of machine.network) {
    [x, y] = [parents[x] ?? 0, parents[y] ?? 0];
    level += 1;
    if (x === y) break;
  }
  return level;
}

/** @param {import("./types").Summary["calls"]} calls @returns {Table} */
function callTable(calls) {
  const all = calls.reduce((sum, { time_s }) => sum + time_s, 0) || 1;
  const columns = [
    column("call", "text", calls, ({ call }) => call),
    column("layer", "text", calls, ({ layer }) => layer),
    column("count", "count", calls, ({ count }) => count),
    column("bytes", "bytes", calls, ({ bytes }) => bytes),
    column("time", "seconds", calls, ({ time_s }) => time_s),
    column("time a call", "seconds", calls, ({ time_s, count }) => time_s / Math.max(count, 1)),
    column("share of the time in MPI", "share", calls, ({ time_s }) => time_s / all),
  ];
  return { name: "calls", title: "MPI calls, all ranks together", columns };
}

/** @param {import("./types").Summary["ranks"]} times @returns {Table} */
function timeTable(times) {
  const ranks = [...times].sort((a, b) => b.mpi_s - a.mpi_s || a.rank - b.rank);
  const outside = (/** @type {{app_s: number, mpi_s: number}} */ { app_s, mpi_s }) => Math.max(0, app_s - mpi_s);
  const mean = ranks.reduce((sum, rank) => sum + outside(rank), 0) / ranks.length || 1;
  const columns = [
    column("rank", "rank", ranks, ({ rank }) => rank),
    column("host", "text", ranks, ({ host }) => host),
    column("time", "seconds", ranks, ({ app_s }) => app_s),
    column("in MPI", "seconds", ranks, ({ mpi_s }) => mpi_s),
    column("share in MPI", "share", ranks, ({ app_s, mpi_s }) => mpi_s / app_s),
    column("outside MPI", "seconds", ranks, outside),
    column("outside MPI / mean \u2212 1", "share", ranks, (rank) => outside(rank) / mean - 1),
  ];
  return { name: "rank-times", title: "Ranks: time inside and outside MPI", columns };
}

/** @param {import("./types").Summary["waits"]} waits @returns {Table} */
function waitTable(waits) {
  const columns = [
    column("waiting rank", "rank", waits, ({ waiter }) => waiter),
    column("awaited rank", "partner", waits, ({ awaited }) => awaited),
    column("time", "seconds", waits, ({ time_s }) => time_s),
    column("messages", "count", waits, ({ count }) => count),
  ];
  return { name: "waits", title: "Who waits for whom, longest first", columns };
}
