/* Warpwise for C++17: a thin layer over warpwise.h, in which every call keeps its name and its order of arguments.
 *
 *     WW_MAP(square, uint64_t, uint32_t, x, void, none, { return (uint64_t)x * x; });
 *
 *     warpwise::device device;                                  opens "best", the CPU, … as ww_open does; closes itself
 *     std::vector<uint32_t> x = …;
 *     std::vector<uint64_t> y(x.size());
 *     device.map(ww_typed(square), x, y);                       types are checked when this is compiled
 *     uint64_t sum = device.reduce(warpwise::add, y);
 *     device.sort(x, x);
 *
 *   arrays      what has data() and size() – std::vector, std::array, std::span, std::string – C arrays, warpwise::buffer
 *               (memory that the device reaches), and warpwise::output and warpwise::input, made from a pointer and a count. Numbers and
 *               WW_STRUCTs have types; ww_array and ww_input may be given everywhere, and are checked when the call runs
 *   inputs      the same, and counting, constant, mapped, cast, strided, reversed, permuted, zip, window and counted, which are
 *               computed as they are read (input.h)
 *   functions   ww_typed(NAME) of a WW_MAP, WW_MAP2, WW_COMBINE, WW_LESS, WW_WINDOW or WW_KERNEL;
 *               ww_typed(NAME).with(environment), or .with(table, count). add, mul, min, max, bit_and, bit_or, ascending,
 *               descending and by_number are built in
 *   results     of one element: a reference as the last argument, or where it says so what the call returns
 *   errors      warpwise::device throws warpwise::error, which has the status and ww_error's sentence. Of
 *               warpwise::device_of_results no call throws: each returns a warpwise::result, and the compiler warns of one
 *               that nobody looks at
 *   options     the C structs, by pointer, as the last argument; nullptr is the default
 *   handles     lsm<K, V> and slab<K, V> are dictionaries, patterns many patterns to look for; each closes itself
 *   the rest    get() of a device is its ww_device *: what has no method here (teams, tiles, graphs, files and others) is used
 *               through the C interface, and device.check(ww_…(device.get(), …)) throws, or returns the result
 *
 * Nothing here allocates, copies an array or adds a pass. A device is to be used by one thread at a time, as in C. */
#ifndef WARPWISE_HPP
#define WARPWISE_HPP

#include "warpwise.h"

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warpwise {

/* ---- errors ---- */

/* What warpwise::device throws. */
class error : public std::runtime_error {
    ww_status status_;

  public:
    error(ww_status status, const std::string &sentence) : std::runtime_error(sentence), status_(status) {}
    ww_status status() const noexcept { return status_; }
};

/* The result of calls of warpwise::device_of_results. */
class [[nodiscard]] result {
    ww_status status_ = WW_OK;
    const char *sentence_ = "";

  public:
    result() = default;
    result(ww_status status, const char *sentence) noexcept : status_(status), sentence_(sentence) {}
    explicit operator bool() const noexcept { return status_ == WW_OK; } /* it is well */
    ww_status status() const noexcept { return status_; }
    const char *sentence() const noexcept { return sentence_; } /* good until the device's next call */
};

namespace detail {

inline std::string sentence_of(ww_status status, const ww_device *device) {
    const char *sentence = device ? ww_error(device) : "";
    return *sentence ? sentence : ww_status_text(status);
}

struct throwing {
    using type = void;
    static constexpr bool throws = true;
    static void of(ww_status status, const ww_device *device) {
        if (status != WW_OK) throw error(status, sentence_of(status, device));
    }
};

struct returning {
    using type = result;
    static constexpr bool throws = false;
    static result of(ww_status status, const ww_device *device) noexcept {
        if (status == WW_OK) return {};
        const char *sentence = device ? ww_error(device) : "";
        return {status, *sentence ? sentence : ww_status_text(status)};
    }
};

/* ---- types ---- */

template <class T> struct is_number : std::is_arithmetic<T> {};
template <> struct is_number<long double> : std::false_type {};
template <> struct is_number<ww_f16> : std::true_type {};
template <> struct is_number<ww_bf16> : std::true_type {};
#if WW_HAS_U128
template <> struct is_number<ww_u128> : std::true_type {};
template <> struct is_number<ww_i128> : std::true_type {};
#endif

template <class T, class = void> struct is_struct : std::false_type {};
template <class T>
struct is_struct<T, std::void_t<decltype(ww__type_of_struct(static_cast<const T *>(nullptr)))>> : std::true_type {};

/* Types that the library cannot tell apart: unsigned long and unsigned long long; char, bool and unsigned char. */
template <class A, class B> constexpr bool same() {
    if constexpr (std::is_void_v<A> || std::is_void_v<B> || std::is_same_v<A, B>)
        return true; /* void: known at run time */
    else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>)
        return sizeof(A) == sizeof(B) && (std::is_unsigned_v<A> || std::is_same_v<A, char>) ==
                                             (std::is_unsigned_v<B> || std::is_same_v<B, char>);
    else
        return false;
}

/* What positions, index and offset arrays, flags and columns that are sorted by may be. */
template <class T, std::size_t least, std::size_t most> constexpr bool is_integer_of() {
    if constexpr (std::is_integral_v<T>)
        return sizeof(T) >= least && sizeof(T) <= most;
    else
        return std::is_void_v<T>;
}
template <class T> constexpr bool is_index() { return is_integer_of<T, 4, 8>(); }
template <class T> constexpr bool is_position() { return is_index<T>() && !std::is_signed_v<T>; }
template <class T> constexpr bool is_flag() { return is_integer_of<T, 1, 8>(); }
template <class T> constexpr bool is_key() { return is_flag<T>() || std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, ww_f16> || std::is_same_v<T, ww_bf16>; }

} // namespace detail

/* The descriptor of a number's type or of a WW_STRUCT. */
template <class T> const ww_type *type_of() {
    static_assert(detail::is_number<T>::value || detail::is_struct<T>::value,
                  "Warpwise: elements are numbers or WW_STRUCTs; other bytes are ww_records and ww_record_memory");
    if constexpr (detail::is_number<T>::value)
        return ww__type_at(static_cast<T *>(nullptr));
    else
        return ww__type_of_struct(static_cast<const T *>(nullptr));
}

template <class T> ww_value value(const T &element) { return ww_value_of(&element, type_of<T>()); }

/* ---- arrays and inputs ---- */

/* An array that a call writes: T is its elements' type, void where that is known at run time only. */
template <class T> class output {
    ww_array array_;

  public:
    using element = T;
    output(T *data, std::size_t count) : array_(ww_array_of(data, count, type_of<T>())) {}
    const ww_array &get() const noexcept { return array_; }
};
template <> class output<void> {
    ww_array array_;

  public:
    using element = void;
    output(const ww_array &array) : array_(array) {}
    const ww_array &get() const noexcept { return array_; }
};

/* What a call reads. */
template <class T> class input {
    ww_input input_;

  public:
    using element = T;
    input(const T *data, std::size_t count) : input_(ww_memory_of(data, count, type_of<T>())) {}
    explicit input(const ww_input &computed) : input_(computed) {} /* whose elements are T */
    const ww_input &get() const noexcept { return input_; }
};
template <> class input<void> {
    ww_input input_;

  public:
    using element = void;
    input(const ww_input &any) : input_(any) {}
    const ww_input &get() const noexcept { return input_; }
};

/* In place of an input or an array that is not wanted. */
struct none_t {};
inline constexpr none_t none{};

namespace detail {

template <class T> input<T> input_of(const input<T> &in) { return in; }
inline input<void> input_of(const ww_input &in) { return in; }
inline input<void> input_of(const ww_array &array) { return ww_from(array); }
inline input<void> input_of(none_t) { return ww_no_input; }
template <class T> input<std::remove_const_t<T>> input_of(const output<T> &array) {
    return input<std::remove_const_t<T>>(ww_from(array.get()));
}
inline input<void> input_of(const output<void> &array) { return ww_from(array.get()); }
template <class C> using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;
template <class C> auto input_of(const C &container) -> input<std::remove_cv_t<element_of<const C>>> {
    return {std::data(container), std::size(container)};
}

template <class T> output<T> output_of(const output<T> &array) { return array; }
inline output<void> output_of(const ww_array &array) { return array; }
inline output<void> output_of(none_t) { return ww_none; }
template <class C> auto output_of(C &&container) -> output<element_of<std::remove_reference_t<C>>> {
    static_assert(!std::is_const_v<element_of<std::remove_reference_t<C>>>, "Warpwise: this is written, and cannot be const");
    return {std::data(container), std::size(container)};
}

/* Computed outputs; their parts must live until the call that is given them has returned. */
template <class T> class mapped_output {
    ww_function f;
    ww_array into;
    mutable ww_computed_array computed{};

  public:
    using element = T;
    mapped_output(const ww_function &function, const ww_array &array) : f(function), into(array) {}
    ww_array get() const {
        computed = {&f, &into, 1};
        return ww__computed_into(f.first, &computed);
    }
};
template <class T, std::size_t many> class zipped_output {
    ww_array arrays[many];
    mutable ww_computed_array computed{};

  public:
    using element = T;
    template <class... Arrays> explicit zipped_output(const Arrays &...each) : arrays{each...} {}
    ww_array get() const {
        computed = {nullptr, arrays, many};
        return ww__computed_into(type_of<T>(), &computed);
    }
};
template <class T> class permuted_output {
    ww_array into;
    ww_input index;
    mutable ww_permuted_array permuted{};

  public:
    using element = T;
    permuted_output(const ww_array &array, const ww_input &at) : into(array), index(at) {}
    ww_array get() const {
        permuted = {&into, &index};
        return ww__permuted_into_of(&permuted);
    }
};
template <class T> const permuted_output<T> &output_of(const permuted_output<T> &out) { return out; }
template <class T> const mapped_output<T> &output_of(const mapped_output<T> &out) { return out; }
template <class T, std::size_t many> const zipped_output<T, many> &output_of(const zipped_output<T, many> &out) {
    return out;
}

/* One element: a variable, or an array of one. */
template <class T, std::enable_if_t<is_number<T>::value || is_struct<T>::value, int> = 0> output<T> one_of(T &element) {
    return {&element, 1};
}
template <class C, std::enable_if_t<!(is_number<std::decay_t<C>>::value || is_struct<std::decay_t<C>>::value), int> = 0>
auto one_of(C &&array) -> decltype(output_of(std::forward<C>(array))) {
    return output_of(std::forward<C>(array));
}

template <class C> using in_element = typename decltype(input_of(std::declval<const C &>()))::element;
template <class C> using out_element = typename std::decay_t<decltype(output_of(std::declval<C>()))>::element;
template <class C> using one_element = typename std::decay_t<decltype(one_of(std::declval<C>()))>::element;

} // namespace detail

/* ---- functions ---- */

/* A function whose types are known: function<R(A)> is a WW_MAP, function<R(A, B)> a WW_MAP2, function<T(T, T)> also a WW_COMBINE,
 * function<bool(T, T)> a WW_LESS, function<R(const T *)> a WW_WINDOW, function<void(uint64_t)> a WW_KERNEL. What it was made of
 * must live as long. */
template <class Signature> class function {
    const ww_function *origin;
    const void *data = nullptr;
    uint64_t count = 0;
    const ww_type *type = nullptr;

  public:
    explicit function(const ww_function &f) noexcept : origin(&f) {}
    function(const ww_function &f, const void *environment, uint64_t elements, const ww_type *environment_type) noexcept
        : origin(&f), data(environment), count(elements), type(environment_type) {}
    /* With its environment, which a call copies or reads until it returns. */
    ww_function get() const { return type ? ww_bound(origin, data, count, type) : *origin; }
    const ww_function *plain() const noexcept { return type ? nullptr : origin; }
};

/* A function that needs an environment. */
template <class Signature, class Environment> class unbound {
    const ww_function &f;

  public:
    explicit unbound(const ww_function &of) noexcept : f(of) {}
    function<Signature> with(const Environment &environment) const {
        return {f, &environment, 1, type_of<Environment>()};
    }
    function<Signature> with(const Environment &&) const = delete; /* it must live until the call has returned */
    function<Signature> with(const Environment *table, std::size_t count) const {
        return {f, table, count, type_of<Environment>()};
    }
};

/* A function of the library's, for every type that it has. */
class built_in {
    const ww_function *f;

  public:
    constexpr explicit built_in(const ww_function &of) noexcept : f(&of) {}
    constexpr const ww_function *get() const noexcept { return f; }
};
inline constexpr built_in add{ww_add}, mul{ww_mul}, min{ww_min}, max{ww_max}, bit_and{ww_and}, bit_or{ww_or};
inline constexpr built_in ascending{ww_ascending}, descending{ww_descending}, by_number{ww_by_number};

namespace detail {

template <class R, class A> function<R(A)> typed(R (*)(A, const void *), const ww_function &f) {
    return function<R(A)>(f);
}
template <class R, class A, class E> unbound<R(A), E> typed(R (*)(A, const E *), const ww_function &f) {
    return unbound<R(A), E>(f);
}
template <class R, class T> function<R(const T *)> typed(R (*)(const T *, const void *), const ww_function &f) {
    return function<R(const T *)>(f);
}
template <class R, class T, class E> unbound<R(const T *), E> typed(R (*)(const T *, const E *), const ww_function &f) {
    return unbound<R(const T *), E>(f);
}
template <class R, class A, class B> function<R(A, B)> typed(R (*)(A, B), const ww_function &f) {
    return function<R(A, B)>(f);
}
template <class R, class A, class B> function<R(A, B)> typed(R (*)(A, B, const void *), const ww_function &f) {
    return function<R(A, B)>(f);
}
template <class R, class A, class B, class E>
unbound<R(A, B), E> typed(R (*)(A, B, const E *), const ww_function &f) {
    return unbound<R(A, B), E>(f);
}

/* For the time of a call. */
class held {
    ww_function bound;
    const ww_function *f; /* nullptr: NULL was given, or it is `bound` */
    bool null;

  public:
    explicit held(const ww_function *of) noexcept : bound(), f(of), null(!of) {}
    template <class Signature> explicit held(const function<Signature> &of) : bound(of.get()), f(of.plain()), null(false) {}
    held(const held &) = delete;
    held &operator=(const held &) = delete;
    const ww_function *get() const noexcept { return f || null ? f : &bound; }
};

/* What each call wants of its function; a ww_function's own types are looked at when it runs. */
template <class F> struct checked {
    static_assert(!sizeof(F *), "Warpwise: a function is ww_typed(NAME), with its environment by .with, a built-in one such as "
                               "warpwise::add, or a ww_function");
};
struct unchecked {
    template <class R, class... A> static constexpr bool fits() { return true; }
    template <class... A> using result_of = void;
};
template <> struct checked<ww_function> : unchecked {
    static const ww_function *hold(const ww_function &f) { return &f; }
};
template <> struct checked<const ww_function *> : unchecked {
    static const ww_function *hold(const ww_function *f) { return f; }
};
template <> struct checked<ww_function *> : checked<const ww_function *> {};
template <> struct checked<std::nullptr_t> : unchecked {
    static const ww_function *hold(std::nullptr_t) { return nullptr; }
};
template <> struct checked<built_in> : unchecked {
    static const ww_function *hold(const built_in &f) { return f.get(); }
};
template <class FR, class... FA> struct checked<function<FR(FA...)>> {
    static const function<FR(FA...)> &hold(const function<FR(FA...)> &f) { return f; }
    template <class R, class... A> static constexpr bool fits() {
        if constexpr (sizeof...(A) != sizeof...(FA))
            return false;
        else
            return same<R, FR>() && (same<A, FA>() && ...);
    }
    template <class... A> using result_of = FR;
};

} // namespace detail

/* The typed form of a function of that name. */
#define ww_typed(name) ::warpwise::detail::typed(&name, name##_ww)

#define WW__HELD(f, ...) \
    static_assert(::warpwise::detail::checked<std::decay_t<decltype(f)>>::template fits<__VA_ARGS__>(), \
                  "Warpwise: the function's types are not those of the arrays"); \
    const ::warpwise::detail::held held_##f(::warpwise::detail::checked<std::decay_t<decltype(f)>>::hold(f))

/* ---- computed inputs ---- */

/* first, first + 1, …: `count` numbers of an integer type. */
template <class T> input<T> counting(T first, uint64_t count) {
    return input<T>(ww_counting(type_of<T>(), static_cast<uint64_t>(first), count));
}
/* `count` times a value; one of more than 16 bytes must live until the call returns. */
template <class T> input<T> constant(const T &element, uint64_t count) {
    return input<T>(ww_constant(value(element), count));
}
/* f(x) for each element, or f(a, b) for those of two. */
template <class F, class In> auto mapped(const F &f, const In &in) {
    WW__HELD(f, void, detail::in_element<In>);
    return input<typename detail::checked<F>::template result_of<void>>(ww_mapped(held_f.get(), detail::input_of(in).get()));
}
template <class F, class A, class B> auto mapped(const F &f, const A &a, const B &b) {
    WW__HELD(f, void, detail::in_element<A>, detail::in_element<B>);
    return input<typename detail::checked<F>::template result_of<void>>(
        ww_mapped2(held_f.get(), detail::input_of(a).get(), detail::input_of(b).get()));
}

/* Each number as one of another type: cast<uint64_t>(bytes). */
template <class T, class In> input<T> cast(const In &in) {
    return input<T>(ww_cast(type_of<T>(), detail::input_of(in).get()));
}
/* Element first + i * stride of what is given; from the last to the first. */
template <class In> auto strided(const In &in, uint64_t first, int64_t stride, uint64_t count) {
    return input<detail::in_element<In>>(ww_strided(detail::input_of(in).get(), first, stride, count));
}
template <class In> auto reversed(const In &in) {
    return input<detail::in_element<In>>(ww_reversed(detail::input_of(in).get()));
}
/* source[index[i]]. */
template <class Source, class Index> auto permuted(const Source &source, const Index &index) {
    return input<detail::in_element<Source>>(ww_permuted(detail::input_of(source).get(), detail::input_of(index).get()));
}
/* The members of a WW_STRUCT: zip<point>(x, y, z). */
template <class Struct, class... In> input<Struct> zip(const In &...in) {
    return input<Struct>(ww_zip(type_of<Struct>(), detail::input_of(in).get()...));
}
/* f(neighbours of source[i]), of a WW_WINDOW and an input of its element type; `outside` is for WW_BORDER_VALUE. */
template <class F, class Source> auto window(const F &f, const Source &source, ww_border border) {
    WW__HELD(f, void, const detail::in_element<Source> *);
    return input<typename detail::checked<F>::template result_of<void>>(
        ww_window(held_f.get(), detail::input_of(source).get(), border, ww_no_value));
}
template <class F, class Source, class T>
auto window(const F &f, const Source &source, ww_border border, const T &outside) {
    WW__HELD(f, void, const T *);
    static_assert(detail::same<T, detail::in_element<Source>>(), "Warpwise: the value is not of the array's type");
    return input<typename detail::checked<F>::template result_of<void>>(
        ww_window(held_f.get(), detail::input_of(source).get(), border, value(outside)));
}
/* As many elements as the number there says, and no more than are given. */
template <class In> auto counted(const In &in, const uint64_t *count_at) {
    return input<detail::in_element<In>>(ww_counted(detail::input_of(in).get(), count_at));
}

/* ---- computed outputs ---- */

/* f(result) is written to an array, or to what zipped_into or permuted_into gives. */
template <class R, class A, class Out> auto mapped_into(const function<R(A)> &f, Out &&out) {
    static_assert(detail::same<R, detail::out_element<Out>>(), "Warpwise: the function's types are not those of the arrays");
    return detail::mapped_output<A>(f.get(), detail::output_of(std::forward<Out>(out)).get());
}
template <class Out> auto mapped_into(const ww_function &f, Out &&out) {
    return detail::mapped_output<void>(f, detail::output_of(std::forward<Out>(out)).get());
}
/* The members of a WW_STRUCT are written each to its array: zipped_into<point>(x, y, z). */
template <class Struct, class... Out> auto zipped_into(Out &&...out) {
    return detail::zipped_output<Struct, sizeof...(Out)>(detail::output_of(std::forward<Out>(out)).get()...);
}

/* Result i is written to element index[i] of an array, or of the arrays of zipped_into. */
template <class Out, class Index> auto permuted_into(Out &&out, const Index &index) {
    return detail::permuted_output<detail::out_element<Out>>(detail::output_of(std::forward<Out>(out)).get(),
                                                             detail::input_of(index).get());
}

/* ---- columns ---- */

/* A column that rows are sorted by, and where it goes in its new order. */
template <class Keys, class Out> ww_sort_column sort_column(const Keys &keys, Out &&sorted, bool descending = false) {
    static_assert(detail::is_key<detail::in_element<Keys>>(), "Warpwise: columns are numbers of up to 64 bits");
    static_assert(detail::same<detail::in_element<Keys>, detail::out_element<Out>>(),
                  "Warpwise: elements of these two arrays are of different types");
    return {detail::input_of(keys).get(), detail::output_of(std::forward<Out>(sorted)).get(), descending, {}};
}
template <class Keys> ww_sort_column sort_column(const Keys &keys) { return sort_column(keys, none); }
/* A column that is moved with the keys. */
template <class In, class Out> ww_carried_column carried_column(const In &in, Out &&out) {
    static_assert(detail::same<detail::in_element<In>, detail::out_element<Out>>(),
                  "Warpwise: elements of these two arrays are of different types");
    return {detail::input_of(in).get(), detail::output_of(std::forward<Out>(out)).get()};
}

/* ---- devices ---- */

template <class Errors> class basic_device;

/* Memory that the device's kernels can access, freed with it; not initialised. Destroy it before its device. */
template <class T> class buffer {
    ww_device *device = nullptr;
    T *data_ = nullptr;
    std::size_t count = 0;
    template <class> friend class basic_device;

  public:
    static_assert(std::is_trivially_copyable_v<T>, "Warpwise: elements are moved as bytes");
    buffer() = default;
    buffer(buffer &&other) noexcept { swap(other); }
    buffer &operator=(buffer &&other) noexcept {
        buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~buffer() {
        if (device) ww_free(device, data_);
    }
    void swap(buffer &other) noexcept {
        std::swap(device, other.device);
        std::swap(data_, other.data_);
        std::swap(count, other.count);
    }
    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count; }
};

#define WW__IN(x) detail::input_of(x).get()
#define WW__OUT(x) detail::output_of(std::forward<decltype(x)>(x)).get()
#define WW__ONE(x) detail::one_of(std::forward<decltype(x)>(x)).get()
#define WW__SAME(a, b) \
    static_assert(detail::same<a, b>(), "Warpwise: elements of these two arrays are of different types")
#define WW__POSITIONS(a) static_assert(detail::is_position<a>(), "Warpwise: positions and counts are uint32_t or uint64_t")
#define WW__INDICES(a) static_assert(detail::is_index<a>(), "Warpwise: indices and offsets are integers of 32 or 64 bits")
#define WW__FLAGS(a) static_assert(detail::is_flag<a>(), "Warpwise: flags are integers of up to 64 bits")
#define WW__YES(a) \
    static_assert(std::is_void_v<a> || detail::same<a, uint8_t>(), "Warpwise: yes or no is a uint8_t or a bool")
#define WW__I(X) detail::in_element<X>
#define WW__O(X) detail::out_element<X>

template <class Errors> class basic_device {
    ww_device *device = nullptr;
    ww_status opened_ = WW_OK;

  public:
    using answer = typename Errors::type;

    /* ww_open_with: nullptr is what WARPWISE_DEVICE names, else the CPU. opened() of a device_of_results has the result. */
    explicit basic_device(const char *name = nullptr, const ww_open_options *options = nullptr) {
        opened_ = options ? ww_open_with(name, &device, options) : ww_open(name, &device);
        if constexpr (Errors::throws) {
            if (opened_ != WW_OK) {
                const error e(opened_, detail::sentence_of(opened_, device));
                ww_close(device);
                throw e;
            }
        }
    }
    explicit basic_device(const std::string &name, const ww_open_options *options = nullptr)
        : basic_device(name.c_str(), options) {}
    basic_device(basic_device &&other) noexcept
        : device(std::exchange(other.device, nullptr)), opened_(std::exchange(other.opened_, WW_NO_DEVICE)) {}
    basic_device &operator=(basic_device &&other) noexcept {
        std::swap(device, other.device);
        std::swap(opened_, other.opened_);
        return *this;
    }
    ~basic_device() { ww_close(device); }

    ww_device *get() const noexcept { return device; }
    result opened() const noexcept { return detail::returning::of(opened_, device); }
    const char *last_error() const noexcept { return device ? ww_error(device) : ""; }
    /* Of a call of the C interface with this device. */
    answer check(ww_status status) const { return Errors::of(status, device); }

    ww_device_info info() const {
        ww_device_info about = WW_DEVICE_INFO;
        if (ww_device_info_get(device, &about) != WW_OK) about = WW_DEVICE_INFO;
        return about;
    }

  private:
    template <class T, class Ask> static T told(const Ask &ask) {
        static_assert(Errors::throws, "Warpwise: give where the answer goes as the last argument, to get a result");
        T answered{};
        ask(answered);
        return answered;
    }

  public:
    /* ---- memory ---- */

    template <class T> answer allocate(std::size_t count, buffer<T> &to) {
        buffer<T> made;
        void *block = nullptr;
        ww_status status = WW_MEMORY;
        if (count <= static_cast<std::size_t>(-1) / sizeof(T)) status = ww_alloc(device, count * sizeof(T), &block);
        if (status == WW_OK) {
            made.device = device;
            made.data_ = static_cast<T *>(block);
            made.count = count;
            to = std::move(made);
        }
        return check(status);
    }
    template <class T> buffer<T> allocate(std::size_t count) {
        static_assert(Errors::throws, "Warpwise: give the buffer as the last argument, to get a result");
        buffer<T> made;
        allocate(count, made);
        return made;
    }
    template <class In, class Out> answer copy(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_copy(device, WW__IN(in), WW__OUT(out)));
    }
    template <class Out, class T> answer fill(Out &&out, const T &element) {
        static_assert(detail::same<T, WW__O(Out)>(), "Warpwise: the value is not of the array's type");
        return check(ww_fill(device, WW__OUT(out), value(element)));
    }
    answer sync() { return check(ww_sync(device)); }

    /* ---- map ---- */

    template <class F, class In, class Out> answer map(const F &f, const In &in, Out &&out) {
        WW__HELD(f, WW__O(Out), WW__I(In));
        return check(ww_map(device, held_f.get(), WW__IN(in), WW__OUT(out)));
    }
    template <class F, class A, class B, class Out> answer map(const F &f, const A &a, const B &b, Out &&out) {
        WW__HELD(f, WW__O(Out), WW__I(A), WW__I(B));
        return check(ww_map2(device, held_f.get(), WW__IN(a), WW__IN(b), WW__OUT(out)));
    }
    template <class In, class Out> answer store(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_store(device, WW__IN(in), WW__OUT(out)));
    }
    template <class F> answer launch(const F &f, uint64_t ranks) {
        WW__HELD(f, void, uint64_t);
        return check(ww_launch(device, held_f.get(), ranks));
    }
    template <class F> answer launch_counted(const F &f, uint64_t most, const uint64_t *count_at) {
        WW__HELD(f, void, uint64_t);
        return check(ww_launch_counted(device, held_f.get(), most, count_at));
    }

    /* ---- reduce ---- */

    template <class F, class In, class Out> answer reduce(const F &f, const In &in, Out &&out) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), detail::one_element<Out>);
        return check(ww_reduce(device, held_f.get(), WW__IN(in), WW__ONE(out)));
    }
    /* The sum itself; a GPU is waited for. */
    template <class F, class In> auto reduce(const F &f, const In &in) {
        static_assert(Errors::throws, "Warpwise: give where the sum goes as the last argument, to get a result");
        static_assert(!std::is_void_v<WW__I(In)>, "Warpwise: elements whose type is known at run time go to an array of one");
        WW__I(In) sum{};
        reduce(f, in, sum);
        return sum;
    }
    template <class F, class K, class V, class KO, class VO, class N>
    answer reduce_by_key(const F &f, const K &keys, const V &values, KO &&keys_out, VO &&values_out, N &&runs) {
        WW__HELD(f, WW__I(V), WW__I(V), WW__I(V));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_reduce_by_key(device, held_f.get(), WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out),
                                      WW__ONE(runs)));
    }
    template <class E, class F, class K, class V, class KO, class VO, class N>
    answer reduce_by_key_by(const E &equal, const F &f, const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                            N &&runs) {
        WW__HELD(equal, void, WW__I(K), WW__I(K));
        WW__HELD(f, WW__I(V), WW__I(V), WW__I(V));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_reduce_by_key_by(device, held_equal.get(), held_f.get(), WW__IN(keys), WW__IN(values),
                                         WW__OUT(keys_out), WW__OUT(values_out), WW__ONE(runs)));
    }
    template <class F, class In, class Offsets, class Out>
    answer reduce_segments(const F &f, const In &in, const Offsets &offsets, Out &&out) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Offsets));
        return check(ww_reduce_segments(device, held_f.get(), WW__IN(in), WW__IN(offsets), WW__OUT(out)));
    }
    template <class Less, class In, class V, class P> answer arg_min(const Less &less, const In &in, V &&least, P &&position) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__POSITIONS(detail::one_element<P>);
        return check(ww_arg_min(device, held_less.get(), WW__IN(in), WW__ONE(least), WW__ONE(position)));
    }
    template <class Less, class In, class V, class P> answer arg_max(const Less &less, const In &in, V &&most, P &&position) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__POSITIONS(detail::one_element<P>);
        return check(ww_arg_max(device, held_less.get(), WW__IN(in), WW__ONE(most), WW__ONE(position)));
    }
    template <class Less, class In, class Offsets, class P>
    answer arg_min_segments(const Less &less, const In &in, const Offsets &offsets, P &&positions) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__INDICES(WW__I(Offsets));
        WW__POSITIONS(WW__O(P));
        return check(ww_arg_min_segments(device, held_less.get(), WW__IN(in), WW__IN(offsets), WW__OUT(positions)));
    }
    template <class Less, class In, class Offsets, class P>
    answer arg_max_segments(const Less &less, const In &in, const Offsets &offsets, P &&positions) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__INDICES(WW__I(Offsets));
        WW__POSITIONS(WW__O(P));
        return check(ww_arg_max_segments(device, held_less.get(), WW__IN(in), WW__IN(offsets), WW__OUT(positions)));
    }

    /* ---- queries ---- */

    template <class F, class In, class N> answer count_if(const F &predicate, const In &in, N &&count) {
        WW__HELD(predicate, void, WW__I(In));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_count_if(device, held_predicate.get(), WW__IN(in), WW__ONE(count)));
    }
    template <class F, class In, class Yes> answer any(const F &predicate, const In &in, Yes &&yes) {
        WW__HELD(predicate, void, WW__I(In));
        WW__YES(detail::one_element<Yes>);
        return check(ww_any(device, held_predicate.get(), WW__IN(in), WW__ONE(yes)));
    }
    template <class F, class In, class Yes> answer all(const F &predicate, const In &in, Yes &&yes) {
        WW__HELD(predicate, void, WW__I(In));
        WW__YES(detail::one_element<Yes>);
        return check(ww_all(device, held_predicate.get(), WW__IN(in), WW__ONE(yes)));
    }
    template <class F, class In, class P> answer find_if(const F &predicate, const In &in, P &&position) {
        WW__HELD(predicate, void, WW__I(In));
        WW__POSITIONS(detail::one_element<P>);
        return check(ww_find_if(device, held_predicate.get(), WW__IN(in), WW__ONE(position)));
    }
    template <class Less, class In, class Yes, class P>
    answer is_sorted(const Less &less, const In &in, Yes &&yes, P &&in_order) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__YES(detail::one_element<Yes>);
        WW__POSITIONS(detail::one_element<P>);
        return check(ww_is_sorted(device, held_less.get(), WW__IN(in), WW__ONE(yes), WW__ONE(in_order)));
    }
    template <class Less, class In, class T, class U>
    answer min_max(const Less &less, const In &in, T &&least, U &&greatest) {
        WW__HELD(less, bool, WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), detail::one_element<T>);
        WW__SAME(WW__I(In), detail::one_element<U>);
        return check(ww_min_max(device, held_less.get(), WW__IN(in), WW__ONE(least), WW__ONE(greatest)));
    }
    /* The answers themselves; a GPU is waited for. */
    template <class F, class In> uint64_t count_if(const F &predicate, const In &in) {
        return told<uint64_t>([&](uint64_t &count) { count_if(predicate, in, count); });
    }
    template <class F, class In> bool any(const F &predicate, const In &in) {
        return told<bool>([&](bool &yes) { any(predicate, in, yes); });
    }
    template <class F, class In> bool all(const F &predicate, const In &in) {
        return told<bool>([&](bool &yes) { all(predicate, in, yes); });
    }
    template <class F, class In> uint64_t find_if(const F &predicate, const In &in) {
        return told<uint64_t>([&](uint64_t &position) { find_if(predicate, in, position); });
    }
    template <class Less, class In> bool is_sorted(const Less &less, const In &in) {
        return told<bool>([&](bool &yes) { is_sorted(less, in, yes, none); });
    }

    /* ---- scan ---- */

    template <class F, class In, class Out>
    answer scan(const F &f, const In &in, Out &&out, const ww_scan_options *options = nullptr) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_scan(device, held_f.get(), WW__IN(in), WW__OUT(out), options));
    }
    template <class F, class In, class Out> answer exclusive_scan(const F &f, const In &in, Out &&out) {
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.exclusive = true;
        return scan(f, in, std::forward<Out>(out), &options);
    }
    template <class F, class In, class Heads, class Out>
    answer scan_segmented(const F &f, const In &in, const Heads &heads, Out &&out, const ww_scan_options *options = nullptr) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__FLAGS(WW__I(Heads));
        return check(ww_scan_segmented(device, held_f.get(), WW__IN(in), WW__IN(heads), WW__OUT(out), options));
    }
    template <class F, class K, class In, class Out>
    answer scan_by_key(const F &f, const K &keys, const In &in, Out &&out, const ww_scan_options *options = nullptr) {
        WW__HELD(f, WW__I(In), WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_scan_by_key(device, held_f.get(), WW__IN(keys), WW__IN(in), WW__OUT(out), options));
    }
    template <class Flags, class Out, class N> answer enumerate(const Flags &flags, Out &&out, N &&total) {
        WW__FLAGS(WW__I(Flags));
        WW__POSITIONS(WW__O(Out));
        return check(ww_enumerate(device, WW__IN(flags), WW__OUT(out), WW__ONE(total)));
    }
    template <class In, class Out> answer adjacent_difference(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_adjacent_difference(device, WW__IN(in), WW__OUT(out)));
    }

    /* ---- pack and split ---- */

    template <class In, class Flags, class Out, class N>
    answer pack(const In &in, const Flags &flags, Out &&out, N &&count, const ww_pack_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__FLAGS(WW__I(Flags));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_pack(device, WW__IN(in), WW__IN(flags), WW__OUT(out), WW__ONE(count), options));
    }
    template <class F, class In, class Out, class N>
    answer pack_if(const F &keep, const In &in, Out &&out, N &&count, const ww_pack_options *options = nullptr) {
        WW__HELD(keep, void, WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_pack_if(device, held_keep.get(), WW__IN(in), WW__OUT(out), WW__ONE(count), options));
    }
    template <class In, class Flags, class Out, class N>
    answer split(const In &in, const Flags &flags, Out &&out, N &&zeros, const ww_split_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__FLAGS(WW__I(Flags));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_split(device, WW__IN(in), WW__IN(flags), WW__OUT(out), WW__ONE(zeros), options));
    }
    template <class F, class In, class Out, class N>
    answer split_if(const F &second, const In &in, Out &&out, N &&zeros, const ww_split_options *options = nullptr) {
        WW__HELD(second, void, WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_split_if(device, held_second.get(), WW__IN(in), WW__OUT(out), WW__ONE(zeros), options));
    }

    /* ---- gather, scatter, expand ---- */

    template <class In, class Index, class Out> answer gather(const In &in, const Index &index, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Index));
        return check(ww_gather(device, WW__IN(in), WW__IN(index), WW__OUT(out)));
    }
    template <class In, class Index, class Out>
    answer scatter(const In &in, const Index &index, Out &&out, ww_conflict conflict = WW_CONFLICT_LAST) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Index));
        return check(ww_scatter(device, WW__IN(in), WW__IN(index), WW__OUT(out), ww_scatter_by(conflict)));
    }
    template <class In, class Counts, class Out, class S, class R, class N>
    answer expand(const In &in, const Counts &counts, Out &&out, S &&source_out, R &&rank_out, N &&total) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_expand(device, WW__IN(in), WW__IN(counts), WW__OUT(out), WW__OUT(source_out), WW__OUT(rank_out),
                               WW__ONE(total)));
    }
    template <class In, class Offsets, class Out, class S, class R>
    answer expand_offsets(const In &in, const Offsets &offsets, Out &&out, S &&source_out, R &&rank_out) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__INDICES(WW__I(Offsets));
        return check(ww_expand_offsets(device, WW__IN(in), WW__IN(offsets), WW__OUT(out), WW__OUT(source_out),
                                       WW__OUT(rank_out)));
    }

    /* ---- rearrangements ---- */

    template <class In, class Out> answer reverse(const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_reverse(device, WW__IN(in), WW__OUT(out)));
    }
    template <class In, class Out> answer rotate(int64_t by, const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_rotate(device, by, WW__IN(in), WW__OUT(out)));
    }
    template <class In, class Out> answer transpose(uint64_t rows, uint64_t columns, const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_transpose(device, rows, columns, WW__IN(in), WW__OUT(out)));
    }

    /* ---- random numbers, permutations, samples ---- */

    template <class Out> answer random_fill(const ww_random &from, Out &&out) {
        return check(ww_random_fill(device, from, WW__OUT(out)));
    }
    template <class Out> answer random_below(const ww_random &from, uint64_t bound, Out &&out) {
        return check(ww_random_below(device, from, bound, WW__OUT(out)));
    }
    template <class Out> answer random_normal(const ww_random &from, double mean, double deviation, Out &&out) {
        return check(ww_random_normal(device, from, mean, deviation, WW__OUT(out)));
    }
    template <class In, class Out> answer shuffle(const ww_random &from, const In &in, Out &&out) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_shuffle(device, from, WW__IN(in), WW__OUT(out)));
    }
    template <class Out> answer permutation(const ww_random &from, Out &&out) {
        WW__POSITIONS(WW__O(Out));
        return check(ww_permutation(device, from, WW__OUT(out)));
    }
    template <class In, class Out>
    answer sample(const ww_random &from, const In &in, Out &&out, ww_sample_order order = WW_SAMPLE_SORTED) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_sample(device, from, WW__IN(in), WW__OUT(out), order));
    }

    /* ---- histograms and multisplits ---- */

    template <class In, class T, class Counts>
    answer histogram_even(const In &in, const T &low, const T &high, Counts &&counts, uint64_t *outside = nullptr,
                          const ww_histogram_options *options = nullptr) {
        static_assert(detail::same<T, WW__I(In)>(), "Warpwise: bounds are of the elements' type");
        return check(ww_histogram_even(device, WW__IN(in), value(low), value(high), WW__OUT(counts),
                                       outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class In, class Edges, class Counts>
    answer histogram_edges(const In &in, const Edges &edges, Counts &&counts, uint64_t *outside = nullptr,
                           const ww_histogram_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__I(Edges));
        return check(ww_histogram_edges(device, WW__IN(in), WW__IN(edges), WW__OUT(counts),
                                        outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class F, class In, class Counts>
    answer histogram(const F &bucket_of, const In &in, Counts &&counts, uint64_t *outside = nullptr,
                     const ww_histogram_options *options = nullptr) {
        WW__HELD(bucket_of, void, WW__I(In));
        return check(ww_histogram(device, held_bucket_of.get(), WW__IN(in), WW__OUT(counts),
                                  outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class In, class Counts>
    answer bincount(const In &in, Counts &&counts, uint64_t *outside = nullptr,
                    const ww_histogram_options *options = nullptr) {
        static_assert(std::is_void_v<WW__I(In)> || std::is_integral_v<WW__I(In)>, "Warpwise: numbers that are counted are integers");
        WW__POSITIONS(WW__O(Counts));
        return check(ww_bincount(device, WW__IN(in), WW__OUT(counts),
                                 outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none, options));
    }
    template <class X, class Y, class XEdges, class YEdges, class Counts>
    answer histogram_2d(const X &x, const Y &y, const XEdges &x_edges, const YEdges &y_edges, Counts &&counts,
                        uint64_t *outside = nullptr) {
        WW__SAME(WW__I(X), WW__I(XEdges));
        WW__SAME(WW__I(Y), WW__I(YEdges));
        WW__POSITIONS(WW__O(Counts));
        return check(ww_histogram_2d(device, WW__IN(x), WW__IN(y), WW__IN(x_edges), WW__IN(y_edges), WW__OUT(counts),
                                     outside ? ww_array_of(outside, 1, type_of<uint64_t>()) : ww_none));
    }
    template <class F, class In, class W, class Sums>
    answer histogram_weighted(const F &bucket_of, const In &in, const W &weights, Sums &&sums) {
        WW__HELD(bucket_of, void, WW__I(In));
        return check(ww_histogram_weighted(device, held_bucket_of.get(), WW__IN(in), WW__IN(weights), WW__OUT(sums)));
    }
    template <class In, class Edges, class W, class Sums>
    answer histogram_edges_weighted(const In &in, const Edges &edges, const W &weights, Sums &&sums) {
        WW__SAME(WW__I(In), WW__I(Edges));
        return check(ww_histogram_edges_weighted(device, WW__IN(in), WW__IN(edges), WW__IN(weights), WW__OUT(sums)));
    }
    template <class K, class V, class Edges, class KO, class VO, class Offsets>
    answer multisplit_edges(const K &keys, const V &values, const Edges &edges, KO &&keys_out, VO &&values_out,
                            Offsets &&offsets, const ww_multisplit_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__I(Edges));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(WW__O(Offsets));
        return check(ww_multisplit_edges(device, WW__IN(keys), WW__IN(values), WW__IN(edges), WW__OUT(keys_out),
                                         WW__OUT(values_out), WW__OUT(offsets), options));
    }
    template <class Categories, class Index, class Offsets, class N>
    answer multisplit_several(uint64_t buckets, const Categories &categories, Index &&index_out, Offsets &&offsets,
                              N &&count) {
        WW__POSITIONS(WW__O(Index));
        WW__POSITIONS(WW__O(Offsets));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_multisplit_several(device, buckets, WW__IN(categories), WW__OUT(index_out), WW__OUT(offsets),
                                           WW__ONE(count)));
    }
    template <class In, class Out, class Offsets>
    answer split_bits(uint64_t bit_first, uint64_t bit_count, const In &in, Out &&out, Offsets &&offsets) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(WW__O(Offsets));
        return check(ww_split_bits(device, bit_first, bit_count, WW__IN(in), WW__OUT(out), WW__OUT(offsets)));
    }
    template <class F, class K, class V, class KO, class VO, class Offsets>
    answer multisplit(const F &bucket_of, uint64_t buckets, const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                      Offsets &&offsets, const ww_multisplit_options *options = nullptr) {
        WW__HELD(bucket_of, void, WW__I(K));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__POSITIONS(WW__O(Offsets));
        return check(ww_multisplit(device, held_bucket_of.get(), buckets, WW__IN(keys), WW__IN(values), WW__OUT(keys_out),
                                   WW__OUT(values_out), WW__OUT(offsets), options));
    }

    /* ---- merge, sets, search, runs ---- */

    template <class Less, class A, class B, class Out>
    answer merge(const Less &less, const A &a, const B &b, Out &&out) {
        WW__HELD(less, bool, WW__I(A), WW__I(A));
        WW__SAME(WW__I(A), WW__I(B));
        WW__SAME(WW__I(A), WW__O(Out));
        return check(ww_merge(device, held_less.get(), WW__IN(a), WW__IN(b), ww_no_input, ww_no_input, WW__OUT(out), ww_none));
    }
    template <class Less, class A, class B, class AV, class BV, class Out, class VO>
    answer merge(const Less &less, const A &a, const B &b, const AV &a_values, const BV &b_values, Out &&out,
                 VO &&values_out) {
        WW__HELD(less, bool, WW__I(A), WW__I(A));
        WW__SAME(WW__I(A), WW__I(B));
        WW__SAME(WW__I(A), WW__O(Out));
        WW__SAME(WW__I(AV), WW__I(BV));
        WW__SAME(WW__I(AV), WW__O(VO));
        return check(ww_merge(device, held_less.get(), WW__IN(a), WW__IN(b), WW__IN(a_values), WW__IN(b_values), WW__OUT(out),
                              WW__OUT(values_out)));
    }
#define WW__SET(name) \
    template <class Less, class A, class B, class Out, class N> \
    answer name(const Less &less, const A &a, const B &b, Out &&out, N &&count) { \
        WW__HELD(less, bool, WW__I(A), WW__I(A)); \
        WW__SAME(WW__I(A), WW__I(B)); \
        WW__SAME(WW__I(A), WW__O(Out)); \
        WW__POSITIONS(detail::one_element<N>); \
        return check(ww_##name(device, held_less.get(), WW__IN(a), WW__IN(b), WW__OUT(out), WW__ONE(count))); \
    }
    WW__SET(set_union)
    WW__SET(set_intersection)
    WW__SET(set_difference)
#undef WW__SET
    template <class Less, class Sorted, class Needles, class Out>
    answer lower_bound(const Less &less, const Sorted &sorted, const Needles &needles, Out &&out) {
        WW__HELD(less, bool, WW__I(Sorted), WW__I(Sorted));
        WW__SAME(WW__I(Sorted), WW__I(Needles));
        WW__POSITIONS(WW__O(Out));
        return check(ww_lower_bound(device, held_less.get(), WW__IN(sorted), WW__IN(needles), WW__OUT(out)));
    }
    template <class Less, class Sorted, class Needles, class Out>
    answer upper_bound(const Less &less, const Sorted &sorted, const Needles &needles, Out &&out) {
        WW__HELD(less, bool, WW__I(Sorted), WW__I(Sorted));
        WW__SAME(WW__I(Sorted), WW__I(Needles));
        WW__POSITIONS(WW__O(Out));
        return check(ww_upper_bound(device, held_less.get(), WW__IN(sorted), WW__IN(needles), WW__OUT(out)));
    }
    template <class In, class V, class L, class N> answer run_lengths(const In &in, V &&values_out, L &&lengths_out, N &&runs) {
        WW__SAME(WW__I(In), WW__O(V));
        WW__POSITIONS(WW__O(L));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_run_lengths(device, WW__IN(in), WW__OUT(values_out), WW__OUT(lengths_out), WW__ONE(runs)));
    }
    template <class In, class Out, class N> answer unique(const In &in, Out &&out, N &&count) {
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_unique(device, WW__IN(in), WW__OUT(out), WW__ONE(count)));
    }
    template <class F, class In, class V, class L, class N>
    answer run_lengths_by(const F &equal, const In &in, V &&values_out, L &&lengths_out, N &&runs) {
        WW__HELD(equal, void, WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(V));
        WW__POSITIONS(WW__O(L));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_run_lengths_by(device, held_equal.get(), WW__IN(in), WW__OUT(values_out), WW__OUT(lengths_out),
                                       WW__ONE(runs)));
    }
    template <class F, class In, class Out, class N> answer unique_by(const F &equal, const In &in, Out &&out, N &&count) {
        WW__HELD(equal, void, WW__I(In), WW__I(In));
        WW__SAME(WW__I(In), WW__O(Out));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_unique_by(device, held_equal.get(), WW__IN(in), WW__OUT(out), WW__ONE(count)));
    }

    /* ---- sort ---- */

    template <class K, class KO> answer sort(const K &keys, KO &&keys_out, const ww_sort_options *options = nullptr) {
        return sort(keys, none, std::forward<KO>(keys_out), none, options);
    }
    template <class K, class V, class KO, class VO>
    answer sort(const K &keys, const V &values, KO &&keys_out, VO &&values_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_sort(device, WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out), options));
    }
    template <class Less, class K, class KO>
    answer sort_by(const Less &less, const K &keys, KO &&keys_out, const ww_sort_options *options = nullptr) {
        return sort_by(less, keys, none, std::forward<KO>(keys_out), none, options);
    }
    template <class Less, class K, class V, class KO, class VO>
    answer sort_by(const Less &less, const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                   const ww_sort_options *options = nullptr) {
        WW__HELD(less, bool, WW__I(K), WW__I(K));
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_sort_by(device, held_less.get(), WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out),
                                options));
    }
    template <class K, class Index>
    answer sort_index(const K &keys, Index &&index_out, const ww_sort_options *options = nullptr) {
        WW__POSITIONS(WW__O(Index));
        return check(ww_sort_index(device, WW__IN(keys), WW__OUT(index_out), options));
    }
    template <class K, class Offsets, class KO>
    answer sort_segments(const K &keys, const Offsets &offsets, KO &&keys_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__INDICES(WW__I(Offsets));
        return check(ww_sort_segments(device, WW__IN(keys), ww_no_input, WW__IN(offsets), WW__OUT(keys_out), ww_none, options));
    }
    template <class K, class V, class Offsets, class KO, class VO>
    answer sort_segments(const K &keys, const V &values, const Offsets &offsets, KO &&keys_out, VO &&values_out,
                         const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__INDICES(WW__I(Offsets));
        return check(ww_sort_segments(device, WW__IN(keys), WW__IN(values), WW__IN(offsets), WW__OUT(keys_out),
                                      WW__OUT(values_out), options));
    }
    template <class K, class V, class KO, class VO>
    answer sort_large(const K &keys, const V &values, KO &&keys_out, VO &&values_out,
                      const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_sort_large(device, WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out), options));
    }
    template <class In, class Out>
    answer sort_records(uint64_t key_first, uint64_t key_bytes, const In &in, Out &&out,
                        const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(In), WW__O(Out));
        return check(ww_sort_records(device, key_first, key_bytes, WW__IN(in), WW__OUT(out), options));
    }
    /* By several columns: device.sort_columns({sort_column(city), sort_column(sales, sales_sorted, true)},
     * {carried_column(name, name_sorted)}, none). */
    template <class Index>
    answer sort_columns(std::initializer_list<ww_sort_column> columns, std::initializer_list<ww_carried_column> carried,
                        Index &&index_out) {
        WW__POSITIONS(WW__O(Index));
        return check(ww_sort_columns(device, columns.begin(), columns.size(), carried.begin(), carried.size(),
                                     WW__OUT(index_out)));
    }
    template <class K, class Offsets, class KO>
    answer top_k_segments(uint64_t k, const K &keys, const Offsets &offsets, KO &&keys_out,
                          const ww_sort_options *options = nullptr) {
        return top_k_segments(k, keys, none, offsets, std::forward<KO>(keys_out), none, options);
    }
    template <class K, class V, class Offsets, class KO, class VO>
    answer top_k_segments(uint64_t k, const K &keys, const V &values, const Offsets &offsets, KO &&keys_out,
                          VO &&values_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        WW__INDICES(WW__I(Offsets));
        return check(ww_top_k_segments(device, k, WW__IN(keys), WW__IN(values), WW__IN(offsets), WW__OUT(keys_out),
                                       WW__OUT(values_out), options));
    }
    template <class K, class Offsets, class Out>
    answer nth_segments(uint64_t n, const K &keys, const Offsets &offsets, Out &&out,
                        const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(Out));
        WW__INDICES(WW__I(Offsets));
        return check(ww_nth_segments(device, n, WW__IN(keys), WW__IN(offsets), WW__OUT(out), options));
    }
    /* quantiles: doubles from 0 to 1, in the host's memory. */
    template <class Q, class In, class Out>
    answer quantiles(const Q &quantiles, const In &in, Out &&out, ww_quantile_method method = WW_QUANTILE_LINEAR) {
        static_assert(std::is_same_v<std::remove_cv_t<detail::element_of<const Q>>, double>, "Warpwise: quantiles are doubles");
        return check(ww_quantiles(device, std::data(quantiles), std::size(quantiles), method, WW__IN(in), WW__OUT(out)));
    }
    template <class K, class KO> answer top_k(const K &keys, KO &&keys_out, const ww_sort_options *options = nullptr) {
        return top_k(keys, none, std::forward<KO>(keys_out), none, options);
    }
    template <class K, class V, class KO, class VO>
    answer top_k(const K &keys, const V &values, KO &&keys_out, VO &&values_out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), WW__O(KO));
        WW__SAME(WW__I(V), WW__O(VO));
        return check(ww_top_k(device, WW__IN(keys), WW__IN(values), WW__OUT(keys_out), WW__OUT(values_out), options));
    }
    template <class K, class Out> answer nth(uint64_t n, const K &keys, Out &&out, const ww_sort_options *options = nullptr) {
        WW__SAME(WW__I(K), detail::one_element<Out>);
        return check(ww_nth(device, n, WW__IN(keys), WW__ONE(out), options));
    }

    /* ---- text ---- */

    template <class Text, class P, class N>
    answer find(const Text &text, std::string_view pattern, P &&positions, N &&count, const ww_find_options *options = nullptr) {
        WW__POSITIONS(WW__O(P));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_find(device, WW__IN(text), pattern.data(), pattern.size(), WW__OUT(positions), WW__ONE(count), options));
    }
    /* Where the first match begins, or WW_NOT_FOUND. */
    template <class Text>
    answer find_first(const Text &text, std::string_view pattern, uint64_t &position, const ww_find_options *options = nullptr) {
        return check(ww_find_first(device, WW__IN(text), pattern.data(), pattern.size(), WW__ONE(position), options));
    }
    template <class Text>
    answer find_last(const Text &text, std::string_view pattern, uint64_t &position, const ww_find_options *options = nullptr) {
        return check(ww_find_last(device, WW__IN(text), pattern.data(), pattern.size(), WW__ONE(position), options));
    }
    template <class Text, class Offsets, class P, class Counts, class N>
    answer find_texts(const Text &text, const Offsets &offsets, std::string_view pattern, P &&positions, Counts &&counts,
                      N &&count, const ww_find_options *options = nullptr) {
        WW__INDICES(WW__I(Offsets));
        WW__POSITIONS(WW__O(P));
        WW__POSITIONS(WW__O(Counts));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_find_texts(device, WW__IN(text), WW__IN(offsets), pattern.data(), pattern.size(), WW__OUT(positions),
                                   WW__OUT(counts), WW__ONE(count), options));
    }
    template <class Text, class P, class D, class N>
    answer find_near(const Text &text, std::string_view pattern, uint64_t most, P &&positions, D &&differences, N &&count,
                     const ww_find_options *options = nullptr) {
        WW__POSITIONS(WW__O(P));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_find_near(device, WW__IN(text), pattern.data(), pattern.size(), most, WW__OUT(positions),
                                  WW__OUT(differences), WW__ONE(count), options));
    }
};

using device = basic_device<detail::throwing>;
using device_of_results = basic_device<detail::returning>;

/* ---- dictionaries, patterns ----
 *
 * Handles of a device, opened by their constructor: opened() says how that went where the device is one of results, else it
 * throws. They are to be gone before their device is. V is void for a dictionary of keys alone, whose values are `none`. */

namespace detail {

template <class Handle, void (*close)(Handle *), class Errors> class handle {
    ww_device *device = nullptr;
    ww_status opened_ = WW_NO_DEVICE;

  protected:
    Handle *handle_ = nullptr;
    explicit handle(ww_device *of) noexcept : device(of) {}
    void opened(ww_status status) {
        opened_ = status;
        static_cast<void>(Errors::of(status, device));
    }
    typename Errors::type check(ww_status status) const { return Errors::of(status, device); }
    ~handle() { close(handle_); }

  public:
    handle(handle &&other) noexcept
        : device(other.device), opened_(std::exchange(other.opened_, WW_NO_DEVICE)),
          handle_(std::exchange(other.handle_, nullptr)) {}
    handle &operator=(handle &&other) noexcept {
        std::swap(device, other.device);
        std::swap(opened_, other.opened_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    Handle *get() const noexcept { return handle_; }
    result opened() const noexcept { return returning::of(opened_, device); }
};

template <class V> const ww_type *value_type() {
    if constexpr (std::is_void_v<V>)
        return nullptr;
    else
        return type_of<V>();
}

} // namespace detail

#define WW__KEYS(X) \
    WW__SAME(WW__I(X), K); \
    static_assert(!std::is_same_v<X, none_t>, "Warpwise: keys are wanted")
#define WW__VALUES(X) \
    WW__SAME(WW__I(X), V); \
    static_assert(!std::is_void_v<V> || std::is_void_v<WW__I(X)>, "Warpwise: a dictionary of keys alone takes no values")

/* A dictionary that keeps its keys in order (lsm.h). erase is ww_lsm_delete. */
template <class K, class V = void, class Errors = detail::throwing>
class lsm : public detail::handle<ww_lsm, ww_lsm_close, Errors> {
    static_assert(detail::same<K, uint32_t>() || detail::same<K, uint64_t>(), "Warpwise: keys are uint32_t or uint64_t");
    using base = detail::handle<ww_lsm, ww_lsm_close, Errors>;
    using base::check;
    using base::handle_;

  public:
    using answer = typename Errors::type;
    explicit lsm(const basic_device<Errors> &device, const ww_lsm_options *options = nullptr) : base(device.get()) {
        this->opened(ww_lsm_open(device.get(), type_of<K>(), detail::value_type<V>(), &handle_, options));
    }
    using base::opened;

    template <class Keys, class Values> answer insert(const Keys &keys, const Values &values) {
        WW__KEYS(Keys);
        WW__VALUES(Values);
        return check(ww_lsm_insert(handle_, WW__IN(keys), WW__IN(values)));
    }
    template <class Keys> answer erase(const Keys &keys) {
        WW__KEYS(Keys);
        return check(ww_lsm_delete(handle_, WW__IN(keys)));
    }
    template <class Keys, class Values, class Deletes>
    answer update(const Keys &keys, const Values &values, const Deletes &deletes) {
        WW__KEYS(Keys);
        WW__VALUES(Values);
        return check(ww_lsm_update(handle_, WW__IN(keys), WW__IN(values), WW__IN(deletes)));
    }
    template <class Keys, class Values> answer build(const Keys &keys, const Values &values) {
        WW__KEYS(Keys);
        WW__VALUES(Values);
        return check(ww_lsm_build(handle_, WW__IN(keys), WW__IN(values)));
    }
    answer cleanup() { return check(ww_lsm_cleanup(handle_)); }

    template <class Keys, class Values, class Found> answer lookup(const Keys &keys, Values &&values, Found &&found) {
        WW__KEYS(Keys);
        WW__SAME(WW__O(Values), V);
        WW__YES(WW__O(Found));
        return check(ww_lsm_lookup(handle_, WW__IN(keys), WW__OUT(values), WW__OUT(found)));
    }
    template <class Lows, class Highs, class Counts> answer count(const Lows &lows, const Highs &highs, Counts &&counts) {
        WW__KEYS(Lows);
        WW__KEYS(Highs);
        WW__POSITIONS(WW__O(Counts));
        return check(ww_lsm_count(handle_, WW__IN(lows), WW__IN(highs), WW__OUT(counts)));
    }
    template <class Lows, class Highs, class Offsets, class KO, class VO>
    answer range(const Lows &lows, const Highs &highs, Offsets &&offsets, KO &&keys_out, VO &&values_out) {
        WW__KEYS(Lows);
        WW__KEYS(Highs);
        WW__SAME(WW__O(Offsets), uint64_t);
        WW__SAME(WW__O(KO), K);
        WW__SAME(WW__O(VO), V);
        return check(ww_lsm_range(handle_, WW__IN(lows), WW__IN(highs), WW__OUT(offsets), WW__OUT(keys_out), WW__OUT(values_out)));
    }
    template <class Keys, class KO, class VO, class Found>
    answer predecessor(const Keys &keys, bool or_equal, KO &&keys_out, VO &&values_out, Found &&found) {
        WW__KEYS(Keys);
        WW__SAME(WW__O(KO), K);
        WW__SAME(WW__O(VO), V);
        WW__YES(WW__O(Found));
        return check(ww_lsm_predecessor(handle_, WW__IN(keys), or_equal, WW__OUT(keys_out), WW__OUT(values_out), WW__OUT(found)));
    }
    template <class Keys, class KO, class VO, class Found>
    answer successor(const Keys &keys, bool or_equal, KO &&keys_out, VO &&values_out, Found &&found) {
        WW__KEYS(Keys);
        WW__SAME(WW__O(KO), K);
        WW__SAME(WW__O(VO), V);
        WW__YES(WW__O(Found));
        return check(ww_lsm_successor(handle_, WW__IN(keys), or_equal, WW__OUT(keys_out), WW__OUT(values_out), WW__OUT(found)));
    }
    template <class KO, class VO, class Found> answer minimum(KO &&key, VO &&value, Found &&found) {
        WW__SAME(detail::one_element<KO>, K);
        WW__SAME(detail::one_element<VO>, V);
        WW__YES(detail::one_element<Found>);
        return check(ww_lsm_minimum(handle_, WW__ONE(key), WW__ONE(value), WW__ONE(found)));
    }
    template <class KO, class VO, class Found> answer maximum(KO &&key, VO &&value, Found &&found) {
        WW__SAME(detail::one_element<KO>, K);
        WW__SAME(detail::one_element<VO>, V);
        WW__YES(detail::one_element<Found>);
        return check(ww_lsm_maximum(handle_, WW__ONE(key), WW__ONE(value), WW__ONE(found)));
    }
    template <class KO, class VO, class N> answer entries(KO &&keys_out, VO &&values_out, N &&count) {
        WW__SAME(WW__O(KO), K);
        WW__SAME(WW__O(VO), V);
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_lsm_entries(handle_, WW__OUT(keys_out), WW__OUT(values_out), WW__ONE(count)));
    }
    answer size(uint64_t &keys) { return check(ww_lsm_size(handle_, &keys)); }
};
template <class K, class V = void> using lsm_of_results = lsm<K, V, detail::returning>;

/* A hash table of slabs (slab.h). erase is ww_slab_delete. */
template <class K, class V = void, class Errors = detail::throwing>
class slab : public detail::handle<ww_slab, ww_slab_close, Errors> {
    static_assert(detail::same<K, uint32_t>() || detail::same<K, uint64_t>(), "Warpwise: keys are uint32_t or uint64_t");
    using base = detail::handle<ww_slab, ww_slab_close, Errors>;
    using base::check;
    using base::handle_;

  public:
    using answer = typename Errors::type;
    explicit slab(const basic_device<Errors> &device, uint64_t expected = 0, const ww_slab_options *options = nullptr)
        : base(device.get()) {
        this->opened(ww_slab_open(device.get(), type_of<K>(), detail::value_type<V>(), expected, &handle_, options));
    }
    using base::opened;

    template <class Keys, class Values, class S = const none_t &>
    answer insert(const Keys &keys, const Values &values, S &&statuses = none) {
        WW__KEYS(Keys);
        WW__VALUES(Values);
        WW__YES(WW__O(S));
        return check(ww_slab_insert(handle_, WW__IN(keys), WW__IN(values), WW__OUT(statuses)));
    }
    template <class Keys, class Values, class S = const none_t &>
    answer replace(const Keys &keys, const Values &values, S &&statuses = none) {
        WW__KEYS(Keys);
        WW__VALUES(Values);
        WW__YES(WW__O(S));
        return check(ww_slab_replace(handle_, WW__IN(keys), WW__IN(values), WW__OUT(statuses)));
    }
    template <class F, class Keys, class Values, class S = const none_t &>
    answer combine(const F &op, const Keys &keys, const Values &values, S &&statuses = none) {
        WW__HELD(op, V, V, V);
        WW__KEYS(Keys);
        WW__VALUES(Values);
        WW__YES(WW__O(S));
        return check(ww_slab_combine(handle_, held_op.get(), WW__IN(keys), WW__IN(values), WW__OUT(statuses)));
    }
    template <class Keys, class S = const none_t &> answer erase(const Keys &keys, S &&statuses = none) {
        WW__KEYS(Keys);
        WW__YES(WW__O(S));
        return check(ww_slab_delete(handle_, WW__IN(keys), WW__OUT(statuses)));
    }
    template <class Keys, class S = const none_t &> answer erase_all(const Keys &keys, S &&statuses = none) {
        WW__KEYS(Keys);
        WW__YES(WW__O(S));
        return check(ww_slab_delete_all(handle_, WW__IN(keys), WW__OUT(statuses)));
    }
    template <class Keys, class Values, class S = const none_t &>
    answer search(const Keys &keys, Values &&values, S &&statuses = none) {
        WW__KEYS(Keys);
        WW__SAME(WW__O(Values), V);
        WW__YES(WW__O(S));
        return check(ww_slab_search(handle_, WW__IN(keys), WW__OUT(values), WW__OUT(statuses)));
    }
    template <class Keys, class Counts> answer count(const Keys &keys, Counts &&counts) {
        WW__KEYS(Keys);
        WW__POSITIONS(WW__O(Counts));
        return check(ww_slab_count(handle_, WW__IN(keys), WW__OUT(counts)));
    }
    template <class Keys, class Offsets, class Values>
    answer search_all(const Keys &keys, const Offsets &offsets, Values &&values) {
        WW__KEYS(Keys);
        WW__INDICES(WW__I(Offsets));
        WW__SAME(WW__O(Values), V);
        return check(ww_slab_search_all(handle_, WW__IN(keys), WW__IN(offsets), WW__OUT(values)));
    }
    template <class Operations, class Keys, class Values, class Found, class S = const none_t &>
    answer mixed(const Operations &operations, const Keys &keys, const Values &values, Found &&found, S &&statuses = none) {
        WW__SAME(WW__I(Operations), uint8_t);
        WW__KEYS(Keys);
        WW__VALUES(Values);
        WW__SAME(WW__O(Found), V);
        WW__YES(WW__O(S));
        return check(ww_slab_mixed(handle_, WW__IN(operations), WW__IN(keys), WW__IN(values), WW__OUT(found), WW__OUT(statuses)));
    }
    template <class KO, class VO, class N> answer pairs(KO &&keys, VO &&values, N &&count) {
        WW__SAME(WW__O(KO), K);
        WW__SAME(WW__O(VO), V);
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_slab_pairs(handle_, WW__OUT(keys), WW__OUT(values), WW__ONE(count)));
    }
    answer flush() { return check(ww_slab_flush(handle_)); }
    answer clear() { return check(ww_slab_clear(handle_)); }
};
template <class K, class V = void> using slab_of_results = slab<K, V, detail::returning>;

/* Patterns for searching many at once (text.h): pattern k is bytes[offsets[k]] … bytes[offsets[k + 1] - 1]. */
template <class Errors> class basic_patterns : public detail::handle<ww_patterns, ww_patterns_close, Errors> {
    using base = detail::handle<ww_patterns, ww_patterns_close, Errors>;
    using base::check;
    using base::handle_;

  public:
    using answer = typename Errors::type;
    template <class Offsets>
    basic_patterns(const basic_device<Errors> &device, std::string_view bytes, const Offsets &offsets,
                   const ww_find_options *options = nullptr)
        : base(device.get()) {
        static_assert(detail::same<std::remove_cv_t<detail::element_of<const Offsets>>, uint64_t>(),
                      "Warpwise: where patterns begin are uint64_t");
        const std::size_t many = std::size(offsets);
        this->opened(ww_patterns_open(device.get(), bytes.data(), std::data(offsets), many ? many - 1 : 0, &handle_, options));
    }
    using base::opened;
    template <class Text, class P, class Numbers, class N>
    answer find_many(const Text &text, P &&positions, Numbers &&numbers, N &&count) {
        WW__POSITIONS(WW__O(P));
        WW__POSITIONS(WW__O(Numbers));
        WW__POSITIONS(detail::one_element<N>);
        return check(ww_find_many(handle_, WW__IN(text), WW__OUT(positions), WW__OUT(numbers), WW__ONE(count)));
    }
};
using patterns = basic_patterns<detail::throwing>;
using patterns_of_results = basic_patterns<detail::returning>;

#undef WW__KEYS
#undef WW__VALUES

#undef WW__HELD
#undef WW__IN
#undef WW__OUT
#undef WW__ONE
#undef WW__SAME
#undef WW__POSITIONS
#undef WW__INDICES
#undef WW__FLAGS
#undef WW__YES
#undef WW__I
#undef WW__O

} // namespace warpwise

#endif
