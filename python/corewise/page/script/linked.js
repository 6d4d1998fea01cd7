// The state that all pictures and tables of the page share: placement, compared placement, and rank.

/**
 * `placement` and `compared` are indices, `compared` -1 without a comparison. `rank` is the
 * selected rank, `pointed` the one under the pointer or cursor, -1 for none.
 * @typedef {{placement: number, compared: number, rank: number, pointed: number}} State
 */

export class Linked {
  /** @type {State} */
  state = { placement: 0, compared: -1, rank: -1, pointed: -1 };

  /** @type {((state: State, before: State) => void)[]} */
  #listeners = [];

  /** @param {Partial<State>} changes */
  set(changes) {
    const before = this.state;
    this.state = { ...before, ...changes };
    const keys = /** @type {(keyof State)[]} */ (Object.keys(this.state));
    if (keys.some((key) => this.state[key] !== before[key])) {
      for (const listener of this.#listeners) listener(this.state, before);
    }
  }

  /** @param {(state: State, before: State) => void} listener Called after each change. */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** The rank whose partners are highlighted: the one under the pointer, else the selected one; -1 for none. */
  get lit() {
    return this.state.pointed >= 0 ? this.state.pointed : this.state.rank;
  }
}
