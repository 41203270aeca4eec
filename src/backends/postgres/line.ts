/** A queue. Taking the first item takes constant time. */
export class Line<T> {
  #all: T[]
  #taken = 0

  constructor(all: T[]) {
    this.#all = all
  }

  get first(): T | undefined {
    return this.#all[this.#taken]
  }

  push(one: T): void {
    this.#all.push(one)
  }

  shift(): T | undefined {
    const { first } = this
    this.#taken += 1
    if (this.#taken * 2 >= this.#all.length) {
      this.#all = this.#all.slice(this.#taken)
      this.#taken = 0
    }
    return first
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let place = this.#taken; place < this.#all.length; place++) yield this.#all[place] as T
  }
}
